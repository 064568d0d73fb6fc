// Deletes a file of an account. Its bytes go at once, unless something under way still reads them; then they are swept later.
import { deleteFile } from '../store/queries/files.ts';
import { fileNotFound, type FileDependencies } from './file-dependencies.ts';

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
