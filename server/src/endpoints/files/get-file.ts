// GET and DELETE /v1/files/{file_id}, and the list of an account's files (contract-2 8).
import { fileList, fileObject } from '../../files/file-object.ts';
import { getOwnFile } from '../../files/file-dependencies.ts';
import { listOwnFiles } from '../../files/list-files.ts';
import { removeFile } from '../../files/remove-file.ts';
import type { Endpoint } from '../endpoint.ts';

export const listFiles: Endpoint = async (dependencies, { principal, query, sendJson }) => {
  const { files, hasMore } = await listOwnFiles(dependencies.files, principal.accountId, new URLSearchParams(query));
  sendJson(fileList(files, hasMore));
};

export const getFile: Endpoint = async ({ files }, { principal, wildcard, sendJson }) => {
  sendJson(fileObject(await getOwnFile(files, principal.accountId, wildcard)));
};

export const deleteFile: Endpoint = async ({ files }, { principal, wildcard: id, sendJson }) => {
  await removeFile(files, principal.accountId, id);
  sendJson({ id, object: 'file', deleted: true });
};
