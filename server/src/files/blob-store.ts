// Where the bytes of files are kept: whole or not at all, under a key of letters, digits and underscores.
import type { Readable } from 'node:stream';

export interface BlobSource {
  length: number;
  /** May be opened again when a first try to write failed. A piece is good until the next one is asked for. */
  open(): AsyncIterable<Buffer>;
}

export interface BlobEntry {
  key: string;
  /** Unix seconds of its last change. */
  changedAt: number;
}

/** The first and the last byte, counted from 0. */
export interface BlobRange {
  start: number;
  end: number;
}

export interface BlobStore {
  /** The blob is there, whole and durable, when this resolves. */
  put(key: string, source: BlobSource): Promise<void>;
  /** undefined where there is no such blob. */
  open(key: string, range?: BlobRange): Promise<Readable | undefined>;
  /** Nothing where there is no such blob. */
  remove(key: string): Promise<void>;
  /** Every blob, and what an interrupted write left. */
  list(): AsyncIterable<BlobEntry>;
}

/** Of the whole blob, or of a range of it; undefined where there is none. */
export async function readBlob(blobs: BlobStore, key: string, range?: BlobRange): Promise<Buffer | undefined> {
  const stream = await blobs.open(key, range);
  if (stream === undefined) return undefined;
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}
