// Relays a request whose answer may leave objects with the upstream: which, and whose, is durable before the client sees the
// end of the answer. A request that can make none has no affinity.
import type { MadeReader } from '../../neutral/made-object.ts';
import type { RelayRequest } from '../../protocols/protocol.ts';
import { anyChannelKey, type ChannelKeyId } from '../../routing/affinity.ts';
import type { RelayCall } from '../call.ts';
import { relayRequest, type RelayDependencies } from '../relay-request.ts';
import { speaksOwn } from '../translate.ts';
import { MakingReply } from './making-reply.ts';

export async function relayMaking(
  dependencies: RelayDependencies,
  call: RelayCall & { read(): RelayRequest },
): Promise<void> {
  const { read, made } = readNow(call);
  if (made === undefined) return relayRequest(dependencies, { ...call, read });
  const affinity = anyChannelKey();
  const { accountId } = call.principal;
  const reply = new MakingReply(call.reply, made, async (objects) => {
    if (isOwn(dependencies, call, affinity.taken))
      await dependencies.objects.remember(accountId, objects, affinity.taken);
  });
  await relayRequest(dependencies, { ...call, read, reply, affinity });
  await reply.sent;
}

/** An answer that was translated has ids of our own making, which no upstream knows. */
function isOwn(
  dependencies: RelayDependencies,
  { protocol }: RelayCall,
  channelKey: ChannelKeyId | undefined,
): channelKey is ChannelKeyId {
  return (
    channelKey !== undefined && speaksOwn(dependencies.catalogue.current, channelKey.channelId, protocol.operation)
  );
}

/** What is wrong with a request is thrown when the relay reads it. */
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
