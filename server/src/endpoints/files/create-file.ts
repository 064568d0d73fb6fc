// POST /v1/files: a form with a file and its purpose (contract-2 8).
import { fileObject } from '../../files/file-object.ts';
import { keepFile } from '../../files/keep-file.ts';
import { readUpload } from '../../files/read-upload.ts';
import type { Endpoint } from '../endpoint.ts';

/** Of the other fields and of what the form itself takes. */
const MOST_AROUND = 1024 * 1024;

export const createFile: Endpoint = async ({ files }, { principal, readForm, sendJson }) => {
  const form = await readForm({ maxBytes: files.maxFileBytes + MOST_AROUND });
  const { accountId, tokenId } = principal;
  sendJson(fileObject(await keepFile(files, { accountId, tokenId, ...readUpload(form) })));
};
