// POST /v1/rerank (spec 4.5, contract 5), also at the paths to which vendors' client libraries post.
import { readRerank, rerank as protocol } from '../../protocols/rerank/index.ts';
import { relayRequest } from '../../relay/relay-request.ts';
import type { Endpoint } from '../endpoint.ts';

export const rerank: Endpoint = async ({ relay }, exchange) => {
  const body = await exchange.readJson();
  const read = () => readRerank(body, 'plain');
  await relayRequest(relay, { ...exchange, endpoint: '/v1/rerank', protocol, read });
};

/** POST /v2/rerank: the same, with what the library of that version shows beside it. */
export const rerankV2: Endpoint = async ({ relay }, exchange) => {
  const body = await exchange.readJson();
  const read = () => readRerank(body, 'v2');
  await relayRequest(relay, { ...exchange, endpoint: '/v2/rerank', protocol, read });
};
