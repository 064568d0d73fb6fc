// GET and HEAD /v1/files/{file_id}/content: the bytes, whole or a range, at the client's pace (contract-2 8).
import { getOwnFile } from '../../files/file-dependencies.ts';
import { openFile } from '../../files/open-file.ts';
import { conditionsOf, sendContent } from '../send-content.ts';
import type { Endpoint } from '../endpoint.ts';

export const fileContent: Endpoint = async ({ files }, exchange) => {
  const file = await getOwnFile(files, exchange.principal.accountId, exchange.wildcard);
  await sendContent(exchange, await openFile(files, file, conditionsOf(exchange)));
};
