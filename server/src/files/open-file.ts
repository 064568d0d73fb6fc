// The bytes of a file for a download: whole or one range, with what tells a client that it has them already.
import type { Readable } from 'node:stream';
import { GatewayError } from '../errors/gateway-error.ts';
import { readByteRange } from '../shared/byte-range.ts';
import { type ContentConditions, isUnchanged, rangeOf } from '../shared/content-conditions.ts';
import type { FileRow } from '../store/queries/files.ts';
import type { FileDependencies } from './file-dependencies.ts';

export interface FileContent {
  status: number;
  headers: Record<string, string>;
  body: Readable | undefined;
}

/** A browser shows nothing of what a client once sent: it is downloaded, as what it was called. */
const OWN_HEADERS = { 'cache-control': 'private, max-age=3600', 'x-content-type-options': 'nosniff' };

export async function openFile(
  { blobs }: Pick<FileDependencies, 'blobs'>,
  file: FileRow,
  asked: ContentConditions,
): Promise<FileContent> {
  const size = Number(file.bytes);
  const validators = { etag: `"${file.id}"`, lastModified: new Date(file.created_at * 1000).toUTCString() };
  const own = { ...OWN_HEADERS, etag: validators.etag, 'last-modified': validators.lastModified };
  if (isUnchanged(asked, validators)) return { status: 304, headers: own, body: undefined };
  const wanted = readByteRange(rangeOf(asked, validators), size);
  if (wanted === 'unsatisfiable')
    return { status: 416, headers: { 'content-range': `bytes */${size}` }, body: undefined };
  const range = wanted === 'whole' ? { start: 0, end: size - 1 } : wanted;
  const body = await blobs.open(file.id, range);
  if (body === undefined) throw notHere(file.id);
  const headers = {
    ...own,
    'content-type': file.content_type,
    'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(file.filename)}`,
    'accept-ranges': 'bytes',
    'content-length': String(range.end - range.start + 1),
    ...(wanted !== 'whole' && { 'content-range': `bytes ${range.start}-${range.end}/${size}` }),
  };
  return { status: wanted === 'whole' ? 200 : 206, headers, body };
}

/** The row is there and the bytes are not: nodes that share a database must share the data folder or a bucket as well. */
export function notHere(id: string): GatewayError {
  return new GatewayError('overloaded', {
    message: `The content of the file "${id}" cannot be read here. Retry later.`,
  });
}
