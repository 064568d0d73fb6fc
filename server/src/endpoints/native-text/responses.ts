// POST /v1/responses (spec 4.5, 5). What goes on from an earlier response goes to the channel key that made it, and where
// this one was made is remembered unless the caller wants nothing stored. Responses of translated calls are kept here.
import { openaiResponses, readResponse } from '../../protocols/openai-responses/index.ts';
import { keptOf, ownResponseId } from '../../protocols/openai-responses/kept/kept-response.ts';
import { idOfUnfinished } from '../../protocols/openai-responses/read-id.ts';
import { relayRequest } from '../../relay/relay-request.ts';
import { DeferredSettlement } from '../../relay/stored/deferred-settlement.ts';
import { speaksOwn } from '../../relay/translate.ts';
import type { Endpoint } from '../endpoint.ts';
import { readWithFiles } from '../relay-body.ts';
import { affinityOfPrevious, readPreviousResponse } from './read-previous-response.ts';
import { StoringReply } from './storing-reply.ts';

export const responses: Endpoint = async (dependencies, exchange) => {
  const body = await readWithFiles(dependencies, exchange);
  const { accountId } = exchange.principal;
  const { relay, background, catalogue, kept } = dependencies;
  const ownId = ownResponseId(exchange.requestId);
  const protocol = openaiResponses;
  const affinity = affinityOfPrevious();
  const settlement = new DeferredSettlement({ catalogue, background, protocol, idOfUnfinished });
  let store = false;
  let model = '';
  let previous: string | undefined;
  const reply = new StoringReply(exchange.reply, async ({ id, objects, answer }) => {
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
      const going = await readPreviousResponse(dependencies, exchange, {
        body,
        affinity,
        read(bytes, previousId) {
          const request = readResponse(bytes, { ...keeping, ...(previousId !== undefined && { previousId }) });
          ({ store, model } = request);
          return request;
        },
      });
      ({ previous } = going);
      if (going.request.background)
        reply.onNamed = (id) => {
          if (id !== ownId) settlement.streamedId = id;
        };
      return going.request;
    },
  });
  await reply.sent;
};
