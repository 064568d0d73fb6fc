// GET and DELETE /v1/responses/{id}, GET .../input_items, POST .../cancel: answered by the upstream that keeps the
// response, and only to the account that made it.
import { checkModelScope } from '../../access/scopes.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { openaiResponses } from '../../protocols/openai-responses/index.ts';
import { madeByAnswer } from '../../protocols/openai-responses/read-made.ts';
import { ranInBackground } from '../../protocols/openai-responses/read-answer.ts';
import type { ChannelKeyId } from '../../relay/call.ts';
import { relayStored } from '../../relay/stored/relay-stored.ts';
import type { Endpoint, EndpointDependencies, Exchange } from '../endpoint.ts';
import { answerKept } from './kept-responses.ts';
import { asksStream, ReplayingReply } from './replay-response.ts';

/** Throws 404 for one that nobody knows, for another account's, and for a real one asked about with a test token. */
export async function channelKeyOf(
  { responses, relay: { catalogue } }: EndpointDependencies,
  { principal }: Exchange,
  { id, param, what = 'response', key = id }: { id: string; param?: string; what?: string; key?: string },
): Promise<ChannelKeyId> {
  const channelKey = await responses.find(principal.accountId, key);
  const channel = catalogue.current.channels.find((one) => one.id === channelKey?.channelId);
  // What a real channel keeps is out of a test token's reach (contract 5).
  if (channelKey !== undefined && (principal.mode === 'live' || channel?.sandbox === true)) {
    // A token that may not use the model may not go on with, read or end what it made.
    if (channelKey.model !== undefined) checkModelScope(catalogue.current, principal, channelKey.model);
    return channelKey;
  }
  const message = `The ${what} "${id.slice(0, 200)}" does not exist or is not kept any more.`;
  throw new GatewayError('not_found', { message, ...(param !== undefined && { param }) });
}

export const getResponse: Endpoint = (dependencies, exchange) =>
  relay(dependencies, exchange, { method: 'GET', rest: ITEMS });

export const cancelResponse: Endpoint = (dependencies, exchange) =>
  relay(dependencies, exchange, { method: 'POST', rest: CANCEL });

/** What runs in the background is asked about first: once it is deleted nobody can tell what it used. */
export const deleteResponse: Endpoint = async (dependencies, exchange) => {
  const { accountId } = exchange.principal;
  const id = exchange.wildcard;
  await relay(dependencies, exchange, {
    method: 'DELETE',
    rest: NOTHING,
    before: () => dependencies.background.ask(accountId, id),
    async onSuccess() {
      await dependencies.background.giveUp(accountId, id);
      await dependencies.responses.forget(accountId, id);
    },
  });
};

/** What may stand behind the id. */
const ITEMS = ['', '/input_items'];
const CANCEL = ['/cancel'];
const NOTHING = [''];
const PASSED_ON = new Set(['include', 'include[]', 'limit', 'order', 'after', 'before']);

interface StoredRequest {
  method: 'GET' | 'POST' | 'DELETE';
  rest: readonly string[];
  /** Work for a response that is the caller's, before the upstream is asked. */
  before?: () => Promise<unknown>;
  onSuccess?: () => Promise<void>;
}

function replaying({ reply, query }: Exchange): ReplayingReply {
  return new ReplayingReply(reply, query);
}

async function relay(
  dependencies: EndpointDependencies,
  exchange: Exchange,
  { method, rest, before, onSuccess }: StoredRequest,
): Promise<void> {
  const [id = ''] = exchange.wildcard.split('/', 1);
  const behind = exchange.wildcard.slice(id.length);
  if (!rest.includes(behind)) throw new GatewayError('not_found');
  if (await answerKept(dependencies, exchange, { id, method, behind })) return;
  const { accountId } = exchange.principal;
  let channelKey: ChannelKeyId | undefined;
  // A client that sees how a response ended has been charged for it; lists of its input say nothing of that.
  const settle = async ({ body }: { body: Buffer }): Promise<void> => {
    if (behind === '/input_items') return;
    await dependencies.background.settle(accountId, id, body);
    // Nobody saw the items of one that ran in the background as they were made.
    const objects = channelKey !== undefined && ranInBackground(body) ? madeByAnswer(body).objects : [];
    if (channelKey !== undefined && objects.length > 0)
      await dependencies.relay.objects.remember(accountId, objects, channelKey);
  };
  const query = [...new URLSearchParams(exchange.query)].filter(([name]) => PASSED_ON.has(name));
  const search = query.length === 0 ? '' : `?${new URLSearchParams(query).toString()}`;
  await relayStored(dependencies.relay, {
    ...exchange,
    reply: method === 'GET' && behind === '' && asksStream(exchange.query) ? replaying(exchange) : exchange.reply,
    endpoint: `/v1/responses/{id}${behind}`,
    protocol: openaiResponses,
    method,
    path: `/${encodeURIComponent(id)}${behind}${search}`,
    async find() {
      channelKey = await channelKeyOf(dependencies, exchange, { id });
      await before?.();
      return channelKey;
    },
    onSuccess: onSuccess ?? settle,
  });
}
