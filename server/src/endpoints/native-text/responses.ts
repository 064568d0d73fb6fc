// POST /v1/responses (spec 4.5, 5). What goes on from an earlier response goes to the channel and key that made it, and
// where this one was made is remembered unless the caller wants nothing stored.
import { openaiResponses, readResponse } from '../../protocols/openai-responses/index.ts';
import { idOfUnfinished } from '../../protocols/openai-responses/read-id.ts';
import { PutOffEnd } from '../../relay/put-off-end.ts';
import { relayRequest } from '../../relay/relay-request.ts';
import { speaksOwn } from '../../relay/translate.ts';
import type { Endpoint } from '../endpoint.ts';
import { RememberingReply } from './remembering-reply.ts';
import { placeOf, type ResponsePlace } from './stored-responses.ts';

const PREVIOUS = 'previous_response_id';

export const responses: Endpoint = async (parts, exchange) => {
  const body = await exchange.readJson();
  const { accountId } = exchange.principal;
  const way: { only: ResponsePlace | undefined; taken: ResponsePlace | undefined; field: string } = {
    only: undefined,
    taken: undefined,
    field: PREVIOUS,
  };
  let store = false;
  const reply = new RememberingReply(exchange.reply, async ({ id, objects }) => {
    const place = way.taken;
    if (place === undefined || !speaksOwn(parts.catalogue.current, place.channelId, 'responses')) return;
    if (store && id !== undefined) await parts.responses.remember(accountId, id, place, objects);
    else if (objects.length > 0) await parts.relay.objects.remember(accountId, objects, place);
  });
  const { relay, background } = parts;
  const end = new PutOffEnd({
    relay,
    background,
    protocol: openaiResponses,
    idOfUnfinished,
    place: () => way.taken,
  });
  await relayRequest(
    { ...relay, router: relay.router.along(way), ledger: end.ledger, metrics: end.metrics },
    {
      ...exchange,
      endpoint: '/v1/responses',
      protocol: end.protocol,
      reply,
      async read() {
        const request = readResponse(body);
        store = request.store;
        end.request = request;
        if (request.background) reply.onNamed = (id) => (end.streamed = id);
        const id = request.previousResponseId;
        if (id !== undefined) way.only = await placeOf(parts, exchange, { id, param: PREVIOUS });
        return { ...request, fit: (most) => (end.request = request.fit?.(most)) };
      },
    },
  );
  await reply.sent;
};
