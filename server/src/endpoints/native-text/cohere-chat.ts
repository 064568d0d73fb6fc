// POST /v2/chat: Cohere's own path, for every text model.
import { cohereChat, readCohereChat } from '../../protocols/cohere-chat/index.ts';
import { relayRequest } from '../../relay/relay-request.ts';
import type { Endpoint } from '../endpoint.ts';
import { readWithFiles } from '../read-with-files.ts';

export const cohereChatV2: Endpoint = async (dependencies, exchange) => {
  const body = await readWithFiles(dependencies, exchange);
  const read = () => readCohereChat(body);
  await relayRequest(dependencies.relay, { ...exchange, endpoint: '/v2/chat', protocol: cohereChat, read });
};
