// The requests of a simulated process: calls that hold, wait for an answer and settle or release, and submits of videos.
import type { Principal } from '../../../server/src/access/principal.ts';
import type { Ledger } from '../../../server/src/billing/ledger.ts';
import { GatewayError } from '../../../server/src/errors/gateway-error.ts';
import { makeOrderedId } from '../../../server/src/shared/ids.ts';
import type { RequestRow } from '../../../server/src/store/ledger/operations.ts';
import type { TaskDependencies } from '../../../server/src/tasks/dependencies.ts';
import { submitTask } from '../../../server/src/tasks/submit/submit-task.ts';
import { videoRequestOf } from '../../../server/src/testing/video-request.ts';
import { ACCOUNT, MODEL, TOKEN } from './fill-database.ts';
import type { World } from './world.ts';

export interface Traffic {
  start(): void;
  /** What is under way goes on to its end. */
  end(): void;
}

const CALLERS = 4;
const SUBMITTERS = 2;
const ENDPOINT = '/v1/chat/completions';

/** Nobody hears the answers: the books alone are looked at. */
const nobody = { setHeader: () => {} } as unknown as Parameters<typeof submitTask>[1]['reply'];

const principal: Principal = {
  tokenId: TOKEN,
  accountId: ACCOUNT,
  accountStatus: 'active',
  accountModels: undefined,
  tokenModels: undefined,
  group: 'default',
  mode: 'live',
  status: 'enabled',
  expiresAt: undefined,
  keyEndsAt: undefined,
  ipAllow: undefined,
  origins: undefined,
  rateSubjects: [],
  strict: false,
  fitBalance: false,
  storeBodies: undefined,
};

export function makeTraffic({
  world,
  dependencies,
  ledger,
}: {
  world: World;
  dependencies: TaskDependencies;
  ledger: Ledger;
}): Traffic {
  const { time, random, outcome } = world;
  const over = new AbortController();

  async function call(): Promise<void> {
    const requestId = makeOrderedId('req', time.now());
    const amount = BigInt(random.whole(1_000, 2_000_000_000));
    const held = ledger.hold({
      requestId,
      accountId: ACCOUNT,
      tokenId: TOKEN,
      mode: 'live',
      amount,
      price: '{}',
      lifetime: 60,
    });
    try {
      await held;
    } catch (error) {
      // Whether it was made is not known: as the relay does, it is given back in any case.
      if (!(error instanceof GatewayError) || error.code !== 'insufficient_quota')
        await ledger.release(rowOf(requestId, 0n)).catch(() => {});
      return;
    }
    await time.wait(random.whole(10, 4_000));
    if (random.chance(0.2)) return void (await ledger.release(rowOf(requestId, 0n)));
    const charge = (amount * BigInt(random.whole(0, 100))) / 100n;
    if ((await ledger.settle(rowOf(requestId, charge))) === 'settled') outcome.answered.set(requestId, charge);
  }

  async function submit(): Promise<void> {
    const requestId = makeOrderedId('req', time.now());
    const options = videoRequestOf({ model: MODEL, prompt: requestId });
    const task = await submitTask(dependencies, {
      requestId,
      endpoint: '/v1/videos',
      principal,
      startedAt: performance.now(),
      strict: false,
      reply: nobody,
      read: () => ({ request: options, webhookUrl: undefined }),
    });
    outcome.taskIds.push(task.id);
  }

  /** Refusals and outages are part of it. */
  async function onAndOn(work: () => Promise<void>): Promise<void> {
    while (!over.signal.aborted) {
      await work().catch(() => {});
      await time.wait(random.whole(50, 1_500));
    }
  }

  function rowOf(id: string, charge: bigint): RequestRow {
    return {
      id,
      account_id: ACCOUNT,
      token_id: TOKEN,
      group_name: 'default',
      endpoint: ENDPOINT,
      model: 'chat',
      channel_id: null,
      status: 200,
      error_code: null,
      attempts: '[]',
      first_byte_ms: null,
      total_ms: 0,
      usage: null,
      usage_source: 'upstream',
      charge,
      arithmetic: null,
      mode: 'live',
      created_at: Math.floor(time.now() / 1000),
    };
  }

  return {
    start() {
      for (let count = 0; count < CALLERS; count++) void onAndOn(call);
      for (let count = 0; count < SUBMITTERS; count++) void onAndOn(submit);
    },
    end() {
      over.abort();
    },
  };
}
