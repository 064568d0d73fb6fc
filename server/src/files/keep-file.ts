// Makes a file: first its bytes, then its row. A crash between the two leaves bytes without a row, which are swept. Deletes it:
// its bytes go at once, unless something under way still reads them; then they are swept later.
import { GatewayError } from '../errors/gateway-error.ts';
import { unixSeconds } from '../shared/clock.ts';
import { makeOrderedId } from '../shared/ids.ts';
import { addFile, bytesOfAccount, deleteFile, type FileRow } from '../store/queries/files.ts';
import type { BlobSource } from './blob-store.ts';
import { type FileDependencies, fileNotFound } from './file-dependencies.ts';

export interface NewFile {
  accountId: string;
  tokenId: string;
  purpose: string;
  filename: string;
  contentType: string;
  /** Seconds from now; undefined = until it is deleted. */
  expiresAfter: number | undefined;
  source: BlobSource;
}

const MIB = 1024 * 1024;

/** The file is durable when this resolves. Throws 413 where it is too large for itself or for the account. */
export async function keepFile(dependencies: FileDependencies, file: NewFile): Promise<FileRow> {
  const { store, blobs, clock, maxFileBytes, maxAccountBytes } = dependencies;
  const { accountId, source } = file;
  if (source.length > maxFileBytes) throw fileTooLarge(maxFileBytes);
  const full = tooLarge(
    `The files of this account may have at most ${maxAccountBytes / MIB} MB together. Delete some that are not needed.`,
  );
  if ((await bytesOfAccount(store.reads, accountId)) + BigInt(source.length) > BigInt(maxAccountBytes)) throw full;
  const id = makeOrderedId('file', clock.now());
  await blobs.put(id, source).catch((cause: unknown) => {
    const message = 'The file cannot be stored right now. Retry later.';
    throw new GatewayError('overloaded', { message, retryAfter: 5, cause });
  });
  const created_at = unixSeconds(clock);
  const row: FileRow = {
    id,
    account_id: accountId,
    token_id: file.tokenId,
    purpose: file.purpose,
    filename: file.filename,
    content_type: file.contentType,
    bytes: BigInt(source.length),
    created_at,
    expires_at: file.expiresAfter === undefined ? null : created_at + file.expiresAfter,
  };
  if (await addFile(store, row, maxAccountBytes)) return row;
  await blobs.remove(id);
  throw full;
}

export function fileTooLarge(maxBytes: number): GatewayError {
  return tooLarge(`A file may have at most ${maxBytes / MIB} MB.`);
}

function tooLarge(message: string): GatewayError {
  return new GatewayError('body_too_large', { message });
}

export interface FileUse {
  /** Which of these are still read by something under way. */
  isUsed?(keys: readonly string[]): Promise<ReadonlySet<string>>;
}

export async function removeFile(
  dependencies: FileDependencies & FileUse,
  accountId: string,
  id: string,
): Promise<void> {
  const { store, blobs } = dependencies;
  if (!(await deleteFile(store, { accountId, id }))) throw fileNotFound(id);
  const used = await dependencies.isUsed?.([id]);
  if (used?.has(id) !== true) await blobs.remove(id);
}
