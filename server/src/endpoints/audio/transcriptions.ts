// POST /v1/audio/transcriptions (spec 2.9, 4.3).
import { openaiTranscriptions, readTranscription } from '../../protocols/openai-audio/index.ts';
import { relayRequest } from '../../relay/relay-request.ts';
import type { Endpoint } from '../endpoint.ts';

export const transcribe: Endpoint = async ({ relay }, exchange) => {
  const form = await exchange.readForm();
  const read = () => readTranscription(form);
  await relayRequest(relay, {
    ...exchange,
    endpoint: '/v1/audio/transcriptions',
    protocol: openaiTranscriptions,
    read,
  });
};
