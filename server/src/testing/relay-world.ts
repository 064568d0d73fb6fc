// For tests: the relay with a real store and ledger, and upstreams that answer by a script. `steps` has what happened, in
// order: holds, calls, ends of holds and answers.
import type { TestContext } from 'node:test';
import { InProcessStore } from '../access/rate-limit/in-process-store.ts';
import { RateLimiter } from '../access/rate-limit/rate-limiter.ts';
import { Ledger } from '../billing/ledger.ts';
import type { ChannelFacts } from '../catalogue/catalogue.ts';
import { LiveCatalogue } from '../catalogue/live-catalogue.ts';
import { openaiChat, readChat } from '../protocols/openai-chat/index.ts';
import type { RelayCall } from '../relay/call.ts';
import { Checkpoints } from '../relay/checkpoints.ts';
import type { RelayDependencies } from '../relay/relay-request.ts';
import { Workload } from '../relay/workload.ts';
import { Router } from '../routing/candidates.ts';
import { facts, secretBox } from '../routing/testing/offered.ts';
import { IndexedSet } from '../shared/runtime/indexed-set.ts';
import type { RequestRow } from '../store/ledger/operations.ts';
import { upstreamObjects } from '../store/queries/upstream-objects.ts';
import type { Store } from '../store/store.ts';
import type { CountedRequest } from '../telemetry/counted-events.ts';
import { addAccount, addToken } from './fixtures.ts';
import { model, offer, principal } from './offer.ts';
import { RecordedReply } from './recorded-reply.ts';
import { type Script, ScriptedClient } from './scripted-client.ts';
import { openSqlite } from './sqlite-store.ts';

/** Nano-units. */
export const BALANCE = 1_000_000_000n;

export interface RelayWorld {
  store: Store;
  dependencies: RelayDependencies;
  client: ScriptedClient;
  reply: RecordedReply;
  steps: string[];
  /** Requests that were counted. */
  counted: CountedRequest[];
  /** A chat of the account with these fields. */
  call(fields?: object, more?: Partial<RelayCall>): RelayCall;
  money(): Promise<{ balance: bigint; used: bigint; held: bigint }>;
  logged(): Promise<RequestRow[]>;
}

export async function makeRelayWorld(
  t: TestContext,
  script: Script,
  {
    channels = [facts('a')],
    balance = BALANCE,
    offered = model(),
  }: { channels?: ChannelFacts[]; balance?: bigint; offered?: ReturnType<typeof model> } = {},
): Promise<RelayWorld> {
  const store = await openSqlite(t);
  await addAccount(store, { id: 'acc', balance });
  await addToken(store, { id: 'tok', account_id: 'acc' });
  const steps: string[] = [];
  const clock = { now: () => Date.now() };
  const commit: Store['commit'] = async (operation) => {
    const result = await store.commit(operation);
    steps.push(`${operation.kind} ${result}`);
    return result;
  };
  const client = new ScriptedClient((request, asked) => {
    steps.push(`call ${new URL(request.origin).hostname}`);
    return script(request, asked);
  });
  const ledger = new Ledger({ store: { ...store, commit }, clock, owner: 'proc_1' });
  const counted: CountedRequest[] = [];
  const dependencies: RelayDependencies = {
    catalogue: await LiveCatalogue.open(async () => offer(offered, ...channels)),
    router: new Router({ clock, secretBox, random: () => 0 }),
    limiter: new RateLimiter({ store: new InProcessStore(clock), clock }),
    ledger,
    checkpoints: new Checkpoints(ledger),
    client,
    clock,
    metrics: { ended: (row) => void counted.push(row) },
    live: new IndexedSet(),
    workload: new Workload(),
    objects: upstreamObjects(store, clock),
  };
  const reply = new SteppedReply(steps);
  const messages = [{ role: 'user', content: 'hello' }];
  let calls = 0;
  return {
    store,
    dependencies,
    client,
    reply,
    steps,
    counted,
    call: (fields = {}, more = {}) => ({
      requestId: `req_${++calls}`,
      endpoint: '/v1/chat/completions',
      principal: principal(),
      protocol: openaiChat,
      strict: false,
      read: () => readChat(Buffer.from(JSON.stringify({ model: 'm', messages, ...fields }))),
      reply,
      startedAt: performance.now(),
      ...more,
    }),
    async money() {
      const account = await store.reads.selectFrom('accounts').select('balance').executeTakeFirstOrThrow();
      const token = await store.reads.selectFrom('tokens').select(['used', 'held']).executeTakeFirstOrThrow();
      return { ...account, ...token };
    },
    logged: () => store.reads.selectFrom('requests').selectAll().orderBy('id').execute(),
  };
}

class SteppedReply extends RecordedReply {
  readonly #steps: string[];

  constructor(steps: string[]) {
    super();
    this.#steps = steps;
  }

  override sendWhole(status: number, headers: Record<string, string>, body: Buffer): void {
    this.#steps.push(`answer ${status}`);
    super.sendWhole(status, headers, body);
  }

  override end(bytes: Buffer | undefined): void {
    this.#steps.push('last event');
    super.end(bytes);
  }
}
