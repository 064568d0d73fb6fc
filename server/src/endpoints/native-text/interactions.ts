// POST /v1beta/interactions, and GET, DELETE and cancel of one: passed on to upstreams of the kind that has them. What goes on
// from an earlier one goes to the channel key that keeps it, and only the account that made one reaches it.
import { modelAccess } from '../../catalogue/visible-models.ts';
import { GatewayError, invalidRequest } from '../../errors/gateway-error.ts';
import {
  geminiInteractions,
  idOfEvents,
  idOfInteraction,
  idOfUnfinished,
  readInteraction,
} from '../../protocols/gemini-interactions/index.ts';
import type { Affinity } from '../../relay/call.ts';
import { relayRequest } from '../../relay/relay-request.ts';
import { DeferredSettlement } from '../../relay/stored/deferred-settlement.ts';
import { relayStored } from '../../relay/stored/relay-stored.ts';
import { isServedBySome } from '../../relay/unsupported-model.ts';
import type { Endpoint, EndpointDependencies, Exchange } from '../endpoint.ts';
import { type MadeReaders, StoringReply } from './storing-reply.ts';
import { channelKeyOf } from './stored-responses.ts';

const ENDPOINT = '/v1beta/interactions';
const PREVIOUS = 'previous_interaction_id';
const PASSED_ON = new Set(['include_input', 'includeInput']);

/** Kept beside responses, under a name that no response has. */
const keyOf = (id: string): string => `interactions/${id}`;

const readers: MadeReaders = {
  whole: (body) => ({ id: idOfInteraction(body), objects: [] }),
  last: (bytes) => ({ id: idOfEvents(bytes), objects: [] }),
  first: idOfEvents,
};

export const createInteraction: Endpoint = async (dependencies, exchange) => {
  const body = await exchange.readJson();
  const { relay, background, catalogue, responses } = dependencies;
  const { accountId } = exchange.principal;
  const protocol = geminiInteractions;
  const affinity: Affinity = { only: undefined, taken: undefined, field: PREVIOUS };
  const settlement = new DeferredSettlement({ catalogue, background, protocol, idOfUnfinished });
  let store = false;
  let model = '';
  const remember = async ({ id }: { id: string | undefined }): Promise<void> => {
    if (store && id !== undefined && affinity.taken !== undefined)
      await responses.remember(accountId, keyOf(id), { ...affinity.taken, model });
  };
  const reply = new StoringReply(exchange.reply, remember, readers);
  await relayRequest(relay, {
    ...exchange,
    endpoint: ENDPOINT,
    protocol,
    reply,
    affinity,
    settlement,
    async read() {
      const request = readInteraction(body);
      ({ store, model } = request);
      refuseOthers(dependencies, exchange, model);
      if (request.background)
        reply.onNamed = (id) => {
          settlement.streamedId = id;
        };
      if (request.previousId !== undefined)
        affinity.only = await keeperOf(dependencies, exchange, { id: request.previousId, param: PREVIOUS });
      return request;
    },
  });
  await reply.sent;
};

/** 404 for a model whose providers have no interactions: nobody translates them. */
function refuseOthers({ catalogue }: EndpointDependencies, { principal }: Exchange, model: string): void {
  modelAccess(catalogue.current, principal, model);
  if (isServedBySome(catalogue.current, { scope: principal, model, operation: 'interactions' })) return;
  const message = `The provider of the model "${model}" has no interactions. Use POST /v1beta/models/${model}:generateContent.`;
  throw new GatewayError('not_found', { message, param: 'model' });
}

function keeperOf(
  dependencies: EndpointDependencies,
  exchange: Exchange,
  { id, param }: { id: string; param?: string },
) {
  const named = { id, key: keyOf(id), what: 'interaction', ...(param !== undefined && { param }) };
  return channelKeyOf(dependencies, exchange, named);
}

export const getInteraction: Endpoint = (dependencies, exchange) => {
  if (new URLSearchParams(exchange.query).get('stream') === 'true')
    throw invalidRequest("'stream' is not served here. Ask without it until 'status' says that it is over.", 'stream');
  return relay(dependencies, exchange, { method: 'GET' });
};

export const cancelInteraction: Endpoint = (dependencies, exchange) =>
  relay(dependencies, exchange, { method: 'POST', behind: '/cancel' });

/** What runs in the background is asked about first: once it is deleted nobody can tell what it used. */
export const deleteInteraction: Endpoint = async (dependencies, exchange) => {
  const { background, responses } = dependencies;
  const { accountId } = exchange.principal;
  const id = exchange.wildcard;
  await relay(dependencies, exchange, {
    method: 'DELETE',
    before: () => background.ask(accountId, id),
    async onSuccess() {
      await background.giveUp(accountId, id);
      await responses.forget(accountId, keyOf(id));
    },
  });
};

interface StoredRequest {
  method: 'GET' | 'POST' | 'DELETE';
  behind?: string;
  before?: () => Promise<void>;
  onSuccess?: () => Promise<void>;
}

async function relay(
  dependencies: EndpointDependencies,
  exchange: Exchange,
  { method, behind = '', before, onSuccess }: StoredRequest,
): Promise<void> {
  const { accountId } = exchange.principal;
  const id = exchange.wildcard;
  const query = [...new URLSearchParams(exchange.query)].filter(([name]) => PASSED_ON.has(name));
  const search = query.length === 0 ? '' : `?${new URLSearchParams(query).toString()}`;
  await relayStored(dependencies.relay, {
    ...exchange,
    endpoint: `${ENDPOINT}/{id}${behind}`,
    protocol: geminiInteractions,
    method,
    path: `/${encodeURIComponent(id)}${behind}${search}`,
    async find() {
      const channelKey = await keeperOf(dependencies, exchange, { id });
      await before?.();
      return channelKey;
    },
    // A client that sees how one ended has been charged for it.
    onSuccess: onSuccess ?? (({ body }) => dependencies.background.settle(accountId, id, body)),
  });
}
