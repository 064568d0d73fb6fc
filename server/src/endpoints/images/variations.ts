// POST /v1/images/variations: a form with one picture, passed on to upstreams of the compatible protocol.
import { imageVariations, readFormVariation } from '../../protocols/openai-images/index.ts';
import { relayRequest } from '../../relay/relay-request.ts';
import type { Endpoint } from '../endpoint.ts';

export const varyImage: Endpoint = async ({ relay }, exchange) => {
  const form = await exchange.readForm();
  const read = () => readFormVariation(form);
  await relayRequest(relay, { ...exchange, endpoint: '/v1/images/variations', protocol: imageVariations, read });
};
