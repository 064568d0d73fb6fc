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
import { relayMaking } from '../../relay/stored/relay-making.ts';
import type { Endpoint, Exchange } from '../endpoint.ts';
import { readWithFiles } from '../relay-body.ts';

export const messages: Endpoint = async (dependencies, exchange) => {
  const body = await readWithFiles(dependencies, exchange);
  const read = () => withOwnHeaders(readMessages(body), exchange);
  await relayMaking(dependencies.relay, { ...exchange, endpoint: '/v1/messages', protocol: anthropicMessages, read });
};

export const countMessageTokens: Endpoint = async (dependencies, exchange) => {
  const body = await readWithFiles(dependencies, exchange);
  const read = () => withOwnHeaders(readCountTokens(body), exchange);
  const endpoint = '/v1/messages/count_tokens';
  await countTokens(dependencies.relay, {
    ...exchange,
    endpoint,
    protocol: countMessages,
    read,
    writeCount: writeTokenCount,
  });
};

/** A message-style upstream is sent the caller's version (contract-2 7) and the features it asks for by a header. */
function withOwnHeaders(request: RelayRequest, { version, header }: Exchange): RelayRequest {
  const betas = header('anthropic-beta');
  return {
    ...request,
    headers: {
      ...(version !== undefined && { 'anthropic-version': version }),
      ...(betas !== undefined && { 'anthropic-beta': betas }),
    },
  };
}
