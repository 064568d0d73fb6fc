// What files are made, read and removed with.
import { GatewayError } from '../errors/gateway-error.ts';
import { type Clock, unixSeconds } from '../shared/clock.ts';
import { type FileRow, findOwnFile } from '../store/queries/files.ts';
import type { Store } from '../store/store.ts';
import type { BlobStore } from './blob-store.ts';

export interface FileDependencies {
  store: Store;
  blobs: BlobStore;
  clock: Clock;
  /** Of one file: TOLLGATE_MAX_FILE_MB. */
  maxFileBytes: number;
  /** Of all files of an account: TOLLGATE_ACCOUNT_FILES_MB. */
  maxAccountBytes: number;
}

/** Throws 404 for one that nobody has, that is somebody else's, or that has expired. */
export async function getOwnFile({ store, clock }: FileDependencies, accountId: string, id: string): Promise<FileRow> {
  const file = await findOwnFile(store.reads, { accountId, id, now: unixSeconds(clock) });
  if (file === undefined) throw fileNotFound(id);
  return file;
}

export function fileNotFound(id: string, param?: string): GatewayError {
  const message = `The file "${id.slice(0, 100)}" does not exist.`;
  return new GatewayError('not_found', param === undefined ? { message } : { message, param });
}
