// POST /v1/completions (spec 2.10, 4.5).
import { openaiCompletions, readCompletion } from '../../protocols/openai-completions/index.ts';
import { relayRequest } from '../../relay/relay-request.ts';
import type { Endpoint } from '../endpoint.ts';

export const completions: Endpoint = async ({ relay }, exchange) => {
  const body = await exchange.readJson();
  const read = () => readCompletion(body);
  await relayRequest(relay, { ...exchange, endpoint: '/v1/completions', protocol: openaiCompletions, read });
};
