// POST /v1/embeddings (spec 4.5).
import { openaiEmbeddings, readEmbedding } from '../../protocols/openai-embeddings/index.ts';
import { relayRequest } from '../../relay/relay-request.ts';
import type { Endpoint } from '../endpoint.ts';

export const embeddings: Endpoint = async ({ relay }, exchange) => {
  const body = await exchange.readJson();
  const read = () => readEmbedding(body);
  await relayRequest(relay, { ...exchange, endpoint: '/v1/embeddings', protocol: openaiEmbeddings, read });
};
