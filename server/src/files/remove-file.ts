// Deletes a file of an account. Its bytes go at once, unless something under way still reads them; then they are swept later.
import { deleteFile } from '../store/queries/files.ts';
import { fileNotFound, type FileParts } from './file-parts.ts';

export interface FileUse {
  /** Which of these are still read by something under way. */
  isUsed?(keys: readonly string[]): Promise<ReadonlySet<string>>;
}

export async function removeFile(parts: FileParts & FileUse, accountId: string, id: string): Promise<void> {
  const { store, blobs } = parts;
  if (!(await deleteFile(store, { accountId, id }))) throw fileNotFound(id);
  const used = await parts.isUsed?.([id]);
  if (used?.has(id) !== true) await blobs.remove(id);
}
