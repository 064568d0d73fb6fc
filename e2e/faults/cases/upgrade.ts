// A rolling upgrade (O-07): nodes of the build before the newest migration are replaced one after another, under load. The
// first new one changes the tables under the old one, which goes on beside it for a while; then it is replaced, too.
import assert from 'node:assert/strict';
import { pause, waitUntil } from '../../support/wait.ts';
import type { JournalEntry } from '../chat-client.ts';
import type { Fault } from '../command/fault.ts';
import { FLAT_MODEL, Operator, untilOffered } from '../operator.ts';
import { Load } from '../rig/clients/load.ts';
import { makeFormerBuild } from '../rig/former-build.ts';
import { QUICK_POLLS } from '../rig/providers/video-side.ts';
import { settleAll } from '../rig/records/settle-all.ts';
import type { Rig } from '../rig/rig.ts';

/** Of each node: five that chat, one that asks for videos. */
const CLIENTS = { clients: 6, videoShare: 1 / 6, pauseMs: 20 };
const ROUND_MS = 1_000;

export const rollingUpgrade: Fault = {
  id: 'O-07',
  title:
    'nodes of the former build are replaced by the present one under load; a round is a second of both side by side',
  stores: ['postgres'],
  rounds: 20,
  fullRounds: 600,
  async run(bench) {
    const former = makeFormerBuild();
    bench.atEnd(former.remove);
    const environment = QUICK_POLLS;
    const rig = await bench.startRig({ redis: true, videos: true, start: { environment, folder: former.folder } });
    const { random } = bench;
    const loads = [0, 1].map((gateway) => new Load(rig, { ...CLIENTS, random, gateway }));
    for (const load of loads) await untilAtWork(load);

    const first = await upgrade(rig, loads, 1);
    await checkItSees(rig, { maker: 0, user: 1 });
    await checkItSees(rig, { maker: 1, user: 0 });
    const sideBySide = loads.map(shownSoFar);
    await pause(bench.rounds * ROUND_MS);
    for (const [index, load] of loads.entries()) {
      const [calls, submits] = [
        since(load.journal, sideBySide[index]?.calls),
        since(load.submits, sideBySide[index]?.submits),
      ];
      assert.ok(
        calls.length >= bench.rounds && submits.length > 0,
        `node ${index}: ${calls.length} calls, ${submits.length} submits while both ran`,
      );
    }
    const second = await upgrade(rig, loads, 0);
    await Promise.all(loads.map((load) => load.end()));

    const replaced = { calls: [...first.calls, ...second.calls], submits: [...first.submits, ...second.submits] };
    const calls = rig.journal.filter((entry) => !replaced.calls.includes(entry));
    const submits = loads.flatMap((load) => load.submits).filter((submit) => !replaced.submits.includes(submit));
    assert.deepEqual(
      calls.filter((entry) => !isWhole(entry)),
      [],
      'calls of nodes that nobody touched',
    );
    assert.deepEqual(
      submits.filter(({ status }) => status !== 200),
      [],
      'submits to nodes that nobody touched',
    );
    const broken = replaced.calls.filter((entry) => !isWhole(entry) && !isTurnedAway(rig, entry));
    assert.deepEqual(broken, [], 'calls that a node took before it was replaced');
    bench.note(
      `from ${former.version}: ${calls.length} calls and ${submits.length} submits on nodes that nobody touched, all whole; ${replaced.calls.length} calls while their node was replaced, each whole or turned away`,
    );
    return settleAll(bench, rig, { ids: loads.flatMap(({ taskIds }) => taskIds), deadAt: Date.now() });
  },
};

interface Shown {
  calls: JournalEntry[];
  submits: Load['submits'];
}

const shownSoFar = ({ journal, submits }: Load) => ({ calls: journal.length, submits: submits.length });

const since = <Item>(items: readonly Item[], from = 0): Item[] => items.slice(from);

/** Calls and a submit were answered since now. */
async function untilAtWork({ journal, taskIds }: Load): Promise<void> {
  const [calls, tasks] = [journal.length, taskIds.length];
  await waitUntil(
    () => journal.slice(calls).filter(isWhole).length > 20 && taskIds.length > tasks,
    'too little load to prove anything',
    60_000,
  );
}

const isWhole = ({ status, complete }: JournalEntry): boolean => status === 200 && complete;

/** By a node that stops or is not there: no provider has seen the call, and the client knows that it may come again. */
function isTurnedAway({ stub }: Rig, { status, code, retryAfter, maxTokens }: JournalEntry): boolean {
  if (stub.recordOf(maxTokens) !== undefined) return false;
  return status === undefined || (status === 503 && code === 'overloaded' && retryAfter !== undefined);
}

/**
 * As an operator does it: the node ends what it has, and the present build comes in its place. Resolves when that is at work,
 * with all that its clients were shown meanwhile.
 */
async function upgrade(rig: Rig, loads: readonly Load[], index: number): Promise<Shown> {
  const load = loads[index];
  assert.ok(load !== undefined);
  const before = shownSoFar(load);
  const { port } = rig.gateway(index);
  const { code } = await rig.gateway(index).end('SIGTERM');
  assert.equal(code, 0, `the old node ended with ${code}`);
  await rig.startAt(index, port, { ...rig.start, folder: undefined });
  await untilAtWork(load);
  return { calls: since(load.journal, before.calls), submits: since(load.submits, before.submits) };
}

/** What an operator changes on one node holds on the other, whichever is the older. */
async function checkItSees(rig: Rig, { maker, user }: { maker: number; user: number }): Promise<void> {
  const operator = new Operator(rig.gateway(maker).address);
  const { id, key } = await operator.addToken(rig.accountId);
  const { address } = rig.gateway(user);
  await untilOffered(address, key, FLAT_MODEL);
  await operator.send('DELETE', `/tokens/${id}`);
  const isRefused = async (): Promise<boolean> => {
    const response = await fetch(`${address}/v1/models`, { headers: { authorization: `Bearer ${key}` } });
    await response.arrayBuffer();
    return response.status === 401;
  };
  await waitUntil(isRefused, 'a token that was deleted on the other node is still taken');
}
