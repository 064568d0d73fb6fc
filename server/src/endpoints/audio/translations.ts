// POST /v1/audio/translations (spec 2.9, 4.3): a transcription whose text comes in English.
import { openaiTranslations, readTranscription } from '../../protocols/openai-audio/index.ts';
import { relayRequest } from '../../relay/relay-request.ts';
import type { Endpoint } from '../endpoint.ts';

export const translateAudio: Endpoint = async ({ relay }, exchange) => {
  const form = await exchange.readForm();
  const read = () => readTranscription(form);
  await relayRequest(relay, { ...exchange, endpoint: '/v1/audio/translations', protocol: openaiTranslations, read });
};
