// /v1/files (contract-2 8): POST of a form with a file and its purpose, GET, DELETE and the content.
import { GatewayError } from '../../errors/gateway-error.ts';
import { getOwnFile } from '../../files/file-dependencies.ts';
import { fileList, fileObject, listOwnFiles } from '../../files/file-object.ts';
import { fileTooLarge, keepFile, removeFile } from '../../files/keep-file.ts';
import { openFile } from '../../files/open-file.ts';
import { readUpload } from '../../files/read-upload.ts';
import type { Endpoint } from '../endpoint.ts';
import { conditionsOf, sendContent } from '../send-content.ts';

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

export const fileContent: Endpoint = async ({ files }, exchange) => {
  const file = await getOwnFile(files, exchange.principal.accountId, exchange.wildcard);
  await sendContent(exchange, await openFile(files, file, conditionsOf(exchange)));
};
