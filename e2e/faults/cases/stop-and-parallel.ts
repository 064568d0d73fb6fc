// SIGTERM beside a peer (FT-20), and many calls on little money, quietly (FT-21) and with an operator at work (FT-22).
import assert from 'node:assert/strict';
import { pause, waitUntil } from '../../support/wait.ts';
import { chat, type JournalEntry } from '../chat-client.ts';
import { BOTH, type Fault } from '../command/fault.ts';
import { FLAT_MODEL, FLAT_NANO, untilOffered } from '../operator.ts';
import { checkBooks, readBooks, sum, untilNoOpenHold } from '../reconcile.ts';
import type { Sums } from '../rig/records/four-sums.ts';
import type { Rig } from '../rig/rig.ts';

export const stopUnderStreams: Fault = {
  id: 'FT-20',
  title: 'SIGTERM under live streams, a peer beside it',
  stores: BOTH,
  rounds: 200,
  async run(bench) {
    const rig = await bench.startRig();
    const isAlone = rig.gateways.length === 1;
    const streams = Array.from({ length: bench.rounds }, () =>
      rig.call({ stream: true, pieces: bench.random.whole(60, 120), paceMs: 50 }),
    );
    await waitUntil(
      () => rig.stub.records.filter(({ pieces }) => pieces > 0).length === bench.rounds,
      'not all are live',
      20_000,
    );
    const stopped = rig.gateway().end('SIGTERM');
    await pause(200);
    for (let late = 0; late < 5; late++) {
      const { status } = await rig.call();
      assert.ok(status === undefined || status === 503, `a late call was answered ${status}`);
      if (!isAlone) assert.equal((await rig.call({ gateway: 1 })).status, 200, 'the peer does not serve');
    }
    for (const { status, complete, code, failure } of await Promise.all(streams))
      assert.deepEqual([status, complete, code, failure], [200, true, undefined, undefined], 'a stream was truncated');
    assert.deepEqual(await stopped, { code: 0, signal: null });
    await rig.startAt(0, rig.gateway().port);
    return rig.reconcile();
  },
};

const CALLS = 500;
const COVERED = 7;
/** Money for seven calls and a little that is not enough for the eighth. */
const ENOUGH_FOR_SEVEN = '0.079999999';

async function callFlat(rig: Rig, key: string, count: number): Promise<JournalEntry[]> {
  return Promise.all(
    Array.from({ length: count }, (_, index) => {
      const { address } = rig.gateway(index % rig.gateways.length);
      return chat({ address, key, model: FLAT_MODEL, text: 'Hello', stream: index % 3 === 0 });
    }),
  );
}

/** Calls at a flat price have the same price in every record. */
async function flatSums(rig: Rig, journal: readonly JournalEntry[]): Promise<Sums> {
  await untilNoOpenHold(rig.settings, 30_000);
  const books = await readBooks(rig.settings);
  checkBooks(books);
  const settles = books.entries.filter(({ kind }) => kind === 'settle');
  const credits = books.entries.filter(({ kind }) => kind === 'credit').map(({ amount }) => amount);
  const balances = sum(credits) - sum(books.accounts.map(({ balance }) => balance));
  const charges = new Map(settles.map(({ request_id, amount }) => [request_id, amount]));
  const whole = journal.filter(({ status, complete }) => status === 200 && complete);
  const client = sum(whole.map(({ requestId }) => charges.get(requestId ?? '') ?? -1n));
  const ledger = sum(settles.map(({ amount }) => amount));
  assert.equal(balances, ledger);
  assert.equal(settles.length, whole.length, 'answers and charges');
  assert.equal(rig.stub.records.length, whole.length, 'calls of the provider and answers');
  return {
    client,
    upstream: ledger,
    ledger,
    balances,
    cut: ledger - client,
    counted: 0n,
    calls: journal.length,
    answered: whole.length,
  };
}

export const parallelSpending: Fault = {
  id: 'FT-21',
  title: `${CALLS} parallel calls on money for ${COVERED}`,
  stores: BOTH,
  rounds: 8,
  fullRounds: 20,
  async run(bench) {
    const rig = await bench.startRig({ gateways: 2 });
    const journal: JournalEntry[] = [];
    for (let round = 0; round < bench.rounds; round++) {
      const limit = round % 2 === 0 ? 'balance' : 'quota';
      const account = await rig.operator.addAccount(limit === 'balance' ? ENOUGH_FOR_SEVEN : '1000');
      const token = await rig.operator.addToken(account, limit === 'quota' ? ENOUGH_FOR_SEVEN : null);
      for (const { address } of rig.gateways) await untilOffered(address, token.key, FLAT_MODEL);
      const entries = await callFlat(rig, token.key, CALLS);
      journal.push(...entries);
      const statuses = Map.groupBy(entries, ({ status, failure }) => failure ?? status);
      assert.deepEqual(
        [statuses.get(200)?.length, statuses.get(402)?.length],
        [COVERED, CALLS - COVERED],
        `round ${round}`,
      );
      const { tokens, accounts } = await readBooks(rig.settings);
      assert.equal(tokens.find(({ id }) => id === token.id)?.used, BigInt(COVERED) * FLAT_NANO);
      if (limit === 'balance') assert.equal(accounts.find(({ id }) => id === account)?.balance, 9_999_999n);
    }
    return flatSums(rig, journal);
  },
};

const PRICES = ['0.01', '0.02', '0.03'];
const PRICES_NANO = new Set([10_000_000n, 20_000_000n, 30_000_000n]);

/** Everything an operator can do to money at the same time, on and on. */
function meddle(rig: Rig, token: { id: string; account: string }): { end(): Promise<void> } {
  const over = new AbortController();
  const onAndOn = async (work: (round: number) => Promise<unknown>, restMs: number): Promise<void> => {
    for (let round = 0; !over.signal.aborted; round++) {
      await work(round);
      await pause(restMs);
    }
  };
  const { operator } = rig;
  const credits = `/accounts/${token.account}/credits`;
  const works = [
    onAndOn(async (round) => {
      const amount = round % 2 === 0 ? '0.05' : '-0.02';
      // No more can be taken than is there.
      await operator.send('POST', credits, { amount, note: 'race' }).catch((error: unknown) => {
        if (!String(error).includes('takes more than the balance')) throw error;
      });
    }, 10),
    onAndOn(
      (round) =>
        operator.send('PUT', `/models/${FLAT_MODEL}`, {
          price: { unit: 'request', amount: PRICES[round % 3] ?? '0.01' },
        }),
      60,
    ),
    onAndOn(
      (round) => operator.send('PATCH', `/tokens/${token.id}`, { status: round % 4 === 3 ? 'disabled' : 'enabled' }),
      80,
    ),
  ];
  const done = Promise.all(works);
  done.catch(() => {}); // reported at the end
  return {
    async end() {
      over.abort();
      await done;
    },
  };
}

export const meddledSpending: Fault = {
  id: 'FT-22',
  title: 'spending raced by credits, price changes, disabled and deleted tokens',
  stores: BOTH,
  rounds: 4,
  fullRounds: 20,
  async run(bench) {
    const rig = await bench.startRig();
    const journal: JournalEntry[] = [];
    for (let round = 0; round < bench.rounds; round++) {
      const account = await rig.operator.addAccount('0.5');
      const { id, key } = await rig.operator.addToken(account);
      for (const { address } of rig.gateways) await untilOffered(address, key, FLAT_MODEL);
      const meddling = meddle(rig, { id, account });
      for (let wave = 0; wave < 6; wave++) {
        journal.push(...(await callFlat(rig, key, 60)));
        await pause(bench.random.whole(0, 80));
      }
      await meddling.end();
      const last = callFlat(rig, key, 60);
      await rig.operator.send('DELETE', `/tokens/${id}`);
      journal.push(...(await last));
      await pause(2_000);
      const after = await callFlat(rig, key, 4);
      journal.push(...after);
      assert.ok(
        after.every(({ status }) => status === 401),
        'a deleted token still works',
      );
    }
    for (const { status, failure } of journal)
      assert.ok([200, 401, 402, 403].includes(status ?? 0), `a call ended with ${failure ?? status}`);
    const { entries } = await readBooks(rig.settings);
    for (const { kind, amount, hold_id } of entries) {
      if (kind !== 'settle') continue;
      const held = entries.find((entry) => entry.hold_id === hold_id && entry.kind === 'hold')?.amount;
      assert.ok(PRICES_NANO.has(amount) && held === amount, `held at ${held}, charged ${amount}: a mixed price`);
    }
    const counts = Map.groupBy(journal, ({ status }) => status);
    bench.note([...counts].map(([status, list]) => `${list.length} x ${status}`).join(', '));
    return flatSums(rig, journal);
  },
};
