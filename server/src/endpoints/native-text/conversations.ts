// POST /v1/responses/input_tokens and /v1/responses/compact: what an upstream of the same protocol says about a
// conversation. Its length is estimated where no upstream counts it; only an upstream can compact it.
import {
  compactResponses,
  countResponses,
  readConversation,
  writeTokenCount,
} from '../../protocols/openai-responses/index.ts';
import { madeByAnswer } from '../../protocols/openai-responses/read-made.ts';
import { countTokens } from '../../relay/count-tokens.ts';
import { relayRequest } from '../../relay/relay-request.ts';
import { MakingReply } from '../../relay/stored/relay-making.ts';
import type { Endpoint } from '../endpoint.ts';
import { readWithFiles } from '../relay-body.ts';
import { affinityOfPrevious, readPreviousResponse } from './read-previous-response.ts';

export const countResponseTokens: Endpoint = async (dependencies, exchange) => {
  const body = await readWithFiles(dependencies, exchange);
  const affinity = affinityOfPrevious();
  await countTokens(dependencies.relay, {
    ...exchange,
    endpoint: '/v1/responses/input_tokens',
    protocol: countResponses,
    affinity,
    read: async () =>
      (await readPreviousResponse(dependencies, exchange, { body, affinity, read: readConversation })).request,
    writeCount: writeTokenCount,
  });
};

/** Items of the answer may be named in later requests: whose they are is stored before the client sees them. */
export const compactResponse: Endpoint = async (dependencies, exchange) => {
  const body = await readWithFiles(dependencies, exchange);
  const affinity = affinityOfPrevious();
  const made = { whole: (answer: Buffer) => madeByAnswer(answer).objects, events: () => [] };
  const reply = new MakingReply(exchange.reply, made, async (objects) => {
    if (affinity.taken !== undefined)
      await dependencies.relay.objects.remember(exchange.principal.accountId, objects, affinity.taken);
  });
  await relayRequest(dependencies.relay, {
    ...exchange,
    endpoint: '/v1/responses/compact',
    protocol: compactResponses,
    reply,
    affinity,
    read: async () =>
      (await readPreviousResponse(dependencies, exchange, { body, affinity, read: readConversation })).request,
  });
  await reply.sent;
};
