// POST /v1/moderations (spec 2.7, contract 5).
import { openaiModerations, readModeration } from '../../protocols/openai-moderations/index.ts';
import { relayRequest } from '../../relay/relay-request.ts';
import type { Endpoint } from '../endpoint.ts';

export const moderations: Endpoint = async ({ relay }, exchange) => {
  const body = await exchange.readJson();
  const read = () => readModeration(body);
  await relayRequest(relay, { ...exchange, endpoint: '/v1/moderations', protocol: openaiModerations, read });
};
