// POST /v1/audio/speech (spec 2.9, 4.3).
import { openaiSpeech, readSpeech } from '../../protocols/openai-audio/index.ts';
import { relayRequest } from '../../relay/relay-request.ts';
import type { Endpoint } from '../endpoint.ts';

export const speak: Endpoint = async ({ relay }, exchange) => {
  const body = await exchange.readJson();
  const read = () => readSpeech(body);
  await relayRequest(relay, { ...exchange, endpoint: '/v1/audio/speech', protocol: openaiSpeech, read });
};
