// Relays a request whose answer may leave something with the upstream: what that is, and whose, is durable before the client
// sees the end of the answer. A request that can make nothing goes the plain way.
import type { MadeReader } from '../neutral/made-object.ts';
import type { RelayRequest } from '../protocols/protocol.ts';
import type { Place, Way } from '../routing/candidates.ts';
import type { RelayCall } from './call.ts';
import { MakingReply } from './making-reply.ts';
import { relayRequest, type RelayParts } from './relay-request.ts';
import { speaksOwn } from './translate.ts';

export async function relayMaking(parts: RelayParts, call: RelayCall & { read(): RelayRequest }): Promise<void> {
  const { read, made } = readNow(call);
  if (made === undefined) return relayRequest(parts, { ...call, read });
  const way: Way = { only: undefined, taken: undefined };
  const { accountId } = call.principal;
  const reply = new MakingReply(call.reply, made, async (objects) => {
    if (isOwn(parts, call, way.taken)) await parts.objects.remember(accountId, objects, way.taken);
  });
  await relayRequest({ ...parts, router: parts.router.along(way) }, { ...call, read, reply });
  await reply.sent;
}

/** An answer that was translated has ids of our own making, which no upstream knows. */
function isOwn(parts: RelayParts, { protocol }: RelayCall, place: Place | undefined): place is Place {
  return place !== undefined && speaksOwn(parts.catalogue.current, place.channelId, protocol.operation);
}

/** What is wrong with a request is said when the relay reads it. */
function readNow(call: { read(): RelayRequest }): { read: () => RelayRequest; made: MadeReader | undefined } {
  try {
    const request = call.read();
    return { read: () => request, made: request.made };
  } catch (error) {
    const read = (): never => {
      throw error;
    };
    return { read, made: undefined };
  }
}
