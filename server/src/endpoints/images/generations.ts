// POST /v1/images/generations (spec 2.8, 4.4).
import { imageGenerations, readGeneration } from '../../protocols/openai-images/index.ts';
import { relayRequest } from '../../relay/relay-request.ts';
import type { Endpoint } from '../endpoint.ts';

export const generateImages: Endpoint = async ({ relay }, exchange) => {
  const body = await exchange.readJson();
  const read = () => readGeneration(body);
  await relayRequest(relay, { ...exchange, endpoint: '/v1/images/generations', protocol: imageGenerations, read });
};
