// POST /v2/embed: Cohere's own path, for every model of vectors.
import { cohereEmbed, readCohereEmbed } from '../../protocols/cohere-embed/index.ts';
import { relayRequest } from '../../relay/relay-request.ts';
import type { Endpoint } from '../endpoint.ts';

export const cohereEmbedV2: Endpoint = async ({ relay }, exchange) => {
  const body = await exchange.readJson();
  const read = () => readCohereEmbed(body);
  await relayRequest(relay, { ...exchange, endpoint: '/v2/embed', protocol: cohereEmbed, read });
};
