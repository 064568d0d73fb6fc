// How much the files that a body names add to the input of its request, counted as if they were in it: without their bytes in
// memory, for lines of batches that are estimated long before they run (contract-2 8).
import { StringDecoder } from 'node:string_decoder';
import { LRUCache } from 'lru-cache';
import { unixSeconds } from '../shared/clock.ts';
import { looksEmbedded, OPAQUE_SAMPLE } from '../shared/embedded-media.ts';
import { type FileRow, findOwnFile } from '../store/queries/files.ts';
import { readBlob } from './blob-store.ts';
import { filesIn, type InlineDependencies, refuseTooLarge, splice } from './inline-files.ts';
import { type InlineFile, inlinePart } from './inline-part.ts';
import { mediaTypeOf, UNKNOWN } from './media-type.ts';
import { notHere } from './open-file.ts';

/** What stands in a body in the place of files. */
export interface FilesSize {
  /** Beside media. */
  inputBytes: number;
  mediaCount: number;
}

interface KnownFile extends Pick<FileRow, 'id' | 'bytes'> {
  /** Without its content. */
  empty: InlineFile;
  /** As text of a message; undefined until somebody asks. */
  asText: FilesSize | undefined;
}

const MOST_KNOWN = 50_000;
/** As much as tells what kind of file it is. */
const HEAD = { start: 0, end: 11 };
const NOTHING = Buffer.alloc(0);
const MEDIA: FilesSize = { inputBytes: 0, mediaCount: 1 };

/** Of one account. What is known of a file never changes. */
export class FileSizes {
  readonly #dependencies: InlineDependencies;
  readonly #accountId: string;
  readonly #known = new LRUCache<string, { file: KnownFile | undefined }>({ max: MOST_KNOWN });

  constructor(dependencies: InlineDependencies, accountId: string) {
    this.#dependencies = dependencies;
    this.#accountId = accountId;
  }

  /** The body with parts that have no content yet, and the size of their content. Throws 413 where they have too much. */
  async measure(body: Buffer): Promise<{ body: Buffer; size: FilesSize }> {
    const size = { inputBytes: 0, mediaCount: 0 };
    const named = filesIn(body);
    if (named.length === 0) return { body, size };
    const files = new Map<string, KnownFile>();
    for (const { id } of named) {
      const file = await this.#find(id);
      if (file !== undefined) files.set(id, file);
    }
    refuseTooLarge(named, files, this.#dependencies.maxInlineBytes);
    const contents: { file: KnownFile; isText: boolean }[] = [];
    const emptied = splice(body, named, (id, part) => {
      const file = files.get(id);
      const inlined = file && inlinePart(part, file.empty);
      if (inlined !== undefined && file !== undefined) contents.push({ file, isText: isText(inlined) });
      return inlined;
    });
    for (const { file, isText } of contents) {
      const { inputBytes, mediaCount } = isText ? await this.#textSize(file) : encodedSize(file);
      size.inputBytes += inputBytes;
      size.mediaCount += mediaCount;
    }
    return { body: emptied, size };
  }

  async #find(id: string): Promise<KnownFile | undefined> {
    const known = this.#known.get(id);
    if (known !== undefined) return known.file;
    const { store, clock } = this.#dependencies;
    const row = await findOwnFile(store.reads, { accountId: this.#accountId, id, now: unixSeconds(clock) });
    const file = row && (await this.#look(row));
    this.#known.set(id, { file });
    return file;
  }

  async #look({ id, bytes, filename, content_type: type }: FileRow): Promise<KnownFile> {
    const decides = type === UNKNOWN && bytes > 0n;
    const head = decides ? await readBlob(this.#dependencies.blobs, id, HEAD) : NOTHING;
    if (head === undefined) throw notHere(id);
    const mediaType = mediaTypeOf({ type, filename, bytes: head });
    return { id, bytes, empty: { filename, mediaType, bytes: NOTHING }, asText: undefined };
  }

  async #textSize(file: KnownFile): Promise<FilesSize> {
    file.asText ??= await this.#readText(file.id);
    return file.asText;
  }

  /** As the text of a JSON string, a piece at a time. */
  async #readText(id: string): Promise<FilesSize> {
    const stream = await this.#dependencies.blobs.open(id);
    if (stream === undefined) throw notHere(id);
    const decoder = new StringDecoder('utf8');
    let inputBytes = 0;
    let head = NOTHING;
    const add = (text: string): void => {
      const written = Buffer.from(JSON.stringify(text)).subarray(1, -1);
      inputBytes += written.length;
      if (head.length <= OPAQUE_SAMPLE) head = Buffer.concat([head, written.subarray(0, 2 * OPAQUE_SAMPLE)]);
    };
    for await (const piece of stream) add(decoder.write(piece as Buffer));
    add(decoder.end());
    return inputBytes > OPAQUE_SAMPLE && looksEmbedded(head, 0) ? MEDIA : { inputBytes, mediaCount: 0 };
  }
}

/** As base64, in a data URL or beside its type: a short one is taken for text. */
function encodedSize({ bytes, empty }: KnownFile): FilesSize {
  const length = Math.ceil(Number(bytes) / 3) * 4;
  return length + dataPrefix(empty) > OPAQUE_SAMPLE ? MEDIA : { inputBytes: length, mediaCount: 0 };
}

function dataPrefix({ mediaType }: InlineFile): number {
  return `data:${mediaType};base64,`.length;
}

function isText({ source }: Record<string, unknown>): boolean {
  return typeof source === 'object' && source !== null && 'type' in source && source.type === 'text';
}
