// POST /v1/responses (spec 4.5, 5).
import { openaiResponses, readResponse } from '../../protocols/openai-responses/index.ts';
import { relayRequest } from '../../relay/relay-request.ts';
import type { Endpoint } from '../endpoint.ts';

export const responses: Endpoint = async ({ relay }, exchange) => {
  const body = await exchange.readJson();
  const read = () => readResponse(body);
  await relayRequest(relay, { ...exchange, endpoint: '/v1/responses', protocol: openaiResponses, read });
};
