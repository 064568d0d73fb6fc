// POST /v1/messages and /v1/messages/count_tokens (spec 4.5, 5, 9).
import {
  anthropicMessages,
  countMessages,
  readCountTokens,
  readMessages,
  writeTokenCount,
} from '../../protocols/anthropic-messages/index.ts';
import type { RelayRequest } from '../../protocols/protocol.ts';
import { countTokens } from '../../relay/count-tokens.ts';
import { relayRequest } from '../../relay/relay-request.ts';
import type { Endpoint, Exchange } from '../endpoint.ts';

export const messages: Endpoint = async ({ relay }, exchange) => {
  const body = await exchange.readJson();
  const read = () => withBetas(readMessages(body), exchange);
  await relayRequest(relay, { ...exchange, endpoint: '/v1/messages', protocol: anthropicMessages, read });
};

export const countMessageTokens: Endpoint = async ({ relay }, exchange) => {
  const body = await exchange.readJson();
  const read = () => withBetas(readCountTokens(body), exchange);
  const endpoint = '/v1/messages/count_tokens';
  await countTokens(relay, { ...exchange, endpoint, protocol: countMessages, read, writeCount: writeTokenCount });
};

/** Features that a caller must ask for by a header of this protocol. */
function withBetas(request: RelayRequest, exchange: Exchange): RelayRequest {
  const betas = exchange.header('anthropic-beta');
  return betas === undefined ? request : { ...request, headers: { 'anthropic-beta': betas } };
}
