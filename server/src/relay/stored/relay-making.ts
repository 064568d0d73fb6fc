// Relays a request whose answer may leave objects with the upstream: which, and whose, is durable before the client sees the
// end of the answer. A request that can make none has no affinity.
import type { MadeObject, MadeReader } from '../../neutral/made-object.ts';
import type { RelayRequest } from '../../protocols/protocol.ts';
import { anyChannelKey, type ChannelKeyId } from '../../routing/affinity.ts';
import type { ClientReply, RelayCall } from '../call.ts';
import { type RelayDependencies, relayRequest } from '../relay-request.ts';
import { speaksOwn } from '../translate.ts';
import { ForwardingReply } from '../forwarding-reply.ts';

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

/**
 * Looks at what goes through it for ids of what the upstream made, and lets no client see the end of the answer before they
 * are stored. An answer that was paid for goes out even when they could not be.
 */
export class MakingReply extends ForwardingReply {
  /** Resolves when everything was handed on. */
  sent: Promise<void> = Promise.resolve();
  readonly #made: MadeReader;
  readonly #store: (objects: readonly MadeObject[]) => Promise<void>;
  readonly #found: MadeObject[] = [];

  constructor(inner: ClientReply, made: MadeReader, store: (objects: readonly MadeObject[]) => Promise<void>) {
    super(inner);
    this.#made = made;
    this.#store = store;
  }

  override sendWhole(status: number, headers: Record<string, string>, body: Buffer): void {
    this.#found.push(...this.#made.whole(body));
    this.#after(() => super.sendWhole(status, headers, body));
  }

  override write(bytes: Buffer): boolean {
    this.#found.push(...this.#made.events(bytes));
    return super.write(bytes);
  }

  override end(bytes: Buffer | undefined): void {
    if (bytes !== undefined) this.#found.push(...this.#made.events(bytes));
    this.#after(() => super.end(bytes));
  }

  override breakOff(): void {
    this.#after(() => super.breakOff());
  }

  #after(send: () => void): void {
    if (this.#found.length === 0) return send();
    this.sent = this.#store(this.#found.splice(0)).then(send, send);
  }
}
