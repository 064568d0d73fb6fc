// POST /v1/responses (spec 4.5, 5). What goes on from an earlier response goes to the channel key that made it, and where
// this one was made is remembered unless the caller wants nothing stored. Responses of translated calls are kept here.
import { checkModelScope } from '../../access/scopes.ts';
import { openaiResponses, readResponse } from '../../protocols/openai-responses/index.ts';
import { conversationOf, goOnFrom } from '../../protocols/openai-responses/kept/go-on.ts';
import { isOwnId, keptOf, ownResponseId } from '../../protocols/openai-responses/kept/kept-response.ts';
import { idOfUnfinished } from '../../protocols/openai-responses/read-id.ts';
import type { Affinity } from '../../relay/call.ts';
import { relayRequest } from '../../relay/relay-request.ts';
import { DeferredSettlement } from '../../relay/stored/deferred-settlement.ts';
import { speaksOwn } from '../../relay/translate.ts';
import type { Endpoint } from '../endpoint.ts';
import { readWithFiles } from '../read-with-files.ts';
import { RememberingReply } from './remembering-reply.ts';
import { channelKeyOf } from './stored-responses.ts';

const PREVIOUS = 'previous_response_id';

export const responses: Endpoint = async (dependencies, exchange) => {
  const body = await readWithFiles(dependencies, exchange);
  const { accountId } = exchange.principal;
  const { relay, background, catalogue, kept } = dependencies;
  const ownId = ownResponseId(exchange.requestId);
  const protocol = openaiResponses;
  const affinity: Affinity = { only: undefined, taken: undefined, field: PREVIOUS };
  const settlement = new DeferredSettlement({ catalogue, background, protocol, idOfUnfinished });
  let store = false;
  let model = '';
  let previous: string | undefined;
  const reply = new RememberingReply(exchange.reply, async ({ id, objects, answer }) => {
    if (id === ownId) {
      const response = answer === undefined ? undefined : keptOf(body, answer);
      if (response !== undefined) await kept.keep(exchange.principal, { id, previous, model, kept: response });
      return;
    }
    const channelKey = affinity.taken;
    if (channelKey === undefined || !speaksOwn(catalogue.current, channelKey.channelId, 'responses')) return;
    if (store && id !== undefined)
      await dependencies.responses.remember(accountId, id, { ...channelKey, model }, objects);
    else if (objects.length > 0) await relay.objects.remember(accountId, objects, channelKey);
  });
  await relayRequest(relay, {
    ...exchange,
    endpoint: '/v1/responses',
    protocol,
    reply,
    affinity,
    settlement,
    async read() {
      const keeping = { keeps: kept.isOn };
      const request = readResponse(body, keeping);
      ({ store, model } = request);
      if (request.background)
        reply.onNamed = (id) => {
          if (id !== ownId) settlement.streamedId = id;
        };
      const id = request.previousResponseId;
      if (id === undefined) return request;
      const chain = isOwnId(id) ? await kept.chain(exchange.principal, id) : undefined;
      const last = chain?.at(-1);
      if (chain === undefined || last === undefined) {
        affinity.only = await channelKeyOf(dependencies, exchange, { id, param: PREVIOUS });
        return request;
      }
      checkModelScope(catalogue.current, exchange.principal, last.model);
      previous = id;
      return readResponse(goOnFrom(body, conversationOf(chain)), { ...keeping, previousId: id });
    },
  });
  await reply.sent;
};
