// The body of a text request with the account's own files in it instead of their ids (contract-2 8): an upstream does not
// know them. Ids that are not the account's stay: they may name what an upstream keeps.
import { GatewayError } from '../errors/gateway-error.ts';
import { unixSeconds } from '../shared/clock.ts';
import { JsonSyntaxError, type JsonObject, scanJsonObject } from '../shared/json-fields.ts';
import { NAMES_OBJECT } from '../shared/noted-names.ts';
import type { Reserve } from '../shared/reserve-memory.ts';
import { type FileRow, findOwnFile } from '../store/queries/files.ts';
import { readBlob } from './blob-store.ts';
import type { FileDependencies } from './file-dependencies.ts';
import { type InlineFile, inlinePart } from './inline-part.ts';
import { mediaTypeOf } from './media-type.ts';
import { type NamedFile, namedFiles } from './named-files.ts';
import { notHere } from './open-file.ts';

export type InlineDependencies = Pick<FileDependencies, 'store' | 'blobs' | 'clock'> & {
  /** Of all files that one request names: TOLLGATE_MAX_BODY_MB. */
  maxInlineBytes: number;
};

/** Almost no body has it. A body that is larger than this was scanned already, which tells the same. */
const MARK = '"file_';
const SMALL_BYTES = 512 * 1024;
const MIB = 1024 * 1024;
const MOST_PART_BYTES = 64 * 1024;
/** Its bytes, and base64 of them in a body that is put together. */
const COPIES = 3;
/** Of them what stays in the body. */
const BASE64 = 4 / 3;

export interface InlineCaller {
  accountId: string;
  reserve: Reserve;
}

/** The same bytes where no file of the account is named. */
export async function inlineFiles(
  dependencies: InlineDependencies,
  { accountId, reserve }: InlineCaller,
  body: Buffer,
): Promise<Buffer> {
  const named = filesIn(body);
  if (named.length === 0) return body;
  const rows = await findAll(dependencies, accountId, named);
  if (rows.size === 0) return body;
  const sum = refuseTooLarge(named, rows, dependencies.maxInlineBytes);
  // A small body may name the largest files.
  const release = await reserve(COPIES * sum + body.length, Math.ceil(BASE64 * sum) + body.length);
  const read = new Map<string, InlineFile>();
  for (const row of rows.values()) read.set(row.id, await readFile(dependencies, row));
  const inlined = splice(body, named, (id, part) => {
    const file = read.get(id);
    return file && inlinePart(part, file);
  });
  release(inlined === body ? 0 : inlined.length);
  return inlined;
}

/** Where the body names files, of whatever account. */
export function filesIn(body: Buffer): NamedFile[] {
  if (body.length <= SMALL_BYTES && !body.includes(MARK)) return [];
  const json = scan(body);
  return json === undefined || (json.names & NAMES_OBJECT) === 0 ? [] : namedFiles(json);
}

/** What is no JSON is refused by its reader. */
function scan(body: Buffer): JsonObject | undefined {
  try {
    return scanJsonObject(body);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}

async function findAll(
  { store, clock }: InlineDependencies,
  accountId: string,
  named: readonly NamedFile[],
): Promise<Map<string, FileRow>> {
  const rows = new Map<string, FileRow>();
  const now = unixSeconds(clock);
  for (const id of new Set(named.map((one) => one.id))) {
    const row = await findOwnFile(store.reads, { accountId, id, now });
    if (row !== undefined) rows.set(id, row);
  }
  return rows;
}

/** The bytes of all of them. */
export function refuseTooLarge(
  named: readonly NamedFile[],
  rows: ReadonlyMap<string, Pick<FileRow, 'bytes'>>,
  most: number,
): number {
  let sum = 0;
  for (const { id, field } of named) {
    sum += Number(rows.get(id)?.bytes ?? 0);
    if (sum <= most) continue;
    const message = `'${field}': the files of one request may have at most ${most / MIB} MB together.`;
    throw new GatewayError('body_too_large', { message, param: field });
  }
  return sum;
}

async function readFile({ blobs }: InlineDependencies, row: FileRow): Promise<InlineFile> {
  const bytes = await readBlob(blobs, row.id);
  if (bytes === undefined) throw notHere(row.id);
  const mediaType = mediaTypeOf({ type: row.content_type, filename: row.filename, bytes });
  return { filename: row.filename, mediaType, bytes };
}

/** The body with other parts where `replace` has one. */
export function splice(
  body: Buffer,
  named: readonly NamedFile[],
  replace: (id: string, part: Record<string, unknown>) => Record<string, unknown> | undefined,
): Buffer {
  const pieces: Buffer[] = [];
  let done = 0;
  for (const { id, start, end } of named) {
    if (start < done || end - start > MOST_PART_BYTES) continue;
    const part = replace(id, JSON.parse(body.toString('utf8', start, end)) as Record<string, unknown>);
    if (part === undefined) continue;
    pieces.push(body.subarray(done, start), Buffer.from(JSON.stringify(part)));
    done = end;
  }
  return done === 0 ? body : Buffer.concat([...pieces, body.subarray(done)]);
}
