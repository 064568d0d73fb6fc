// POST /v1/files: a form with a file and its purpose (contract-2 8).
import { fileObject } from '../../files/file-object.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { fileTooLarge, keepFile } from '../../files/keep-file.ts';
import { readUpload } from '../../files/read-upload.ts';
import type { Endpoint } from '../endpoint.ts';

/** Of the other fields and of what the form itself takes. */
const MOST_AROUND = 1024 * 1024;

export const createFile: Endpoint = async ({ files }, { principal, readForm, sendJson }) => {
  const { maxFileBytes } = files;
  const form = await readForm({ maxBytes: maxFileBytes + MOST_AROUND }).catch((error: unknown) => {
    throw error instanceof GatewayError && error.code === 'body_too_large' ? fileTooLarge(maxFileBytes) : error;
  });
  const { accountId, tokenId } = principal;
  sendJson(fileObject(await keepFile(files, { accountId, tokenId, ...readUpload(form) })));
};
