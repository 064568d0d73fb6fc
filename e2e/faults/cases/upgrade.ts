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
    const answers = (): number => rig.journal.filter(({ status }) => status === 200).length;
    await waitUntil(() => answers() > 50, 'too little load to prove anything', 60_000);

    await upgrade(rig, 1);
    await checkItSees(rig, { maker: 0, user: 1 });
    await checkItSees(rig, { maker: 1, user: 0 });
    const before = rig.journal.length;
    await pause(bench.rounds * ROUND_MS);
    const sideBySide = rig.journal.slice(before);
    await upgrade(rig, 0);
    const answered = answers();
    await waitUntil(() => answers() > answered + 50, 'the new nodes do not answer', 60_000);
    await Promise.all(loads.map((load) => load.end()));

    const disturbed = sideBySide.filter((entry) => !isWhole(entry));
    assert.deepEqual(disturbed, [], 'calls while both ran');
    const broken = rig.journal.filter((entry) => !isWhole(entry) && !isTurnedAway(entry));
    assert.deepEqual(broken, [], 'calls that a node took');
    bench.note(
      `from ${former.version}: ${sideBySide.length} calls while both builds ran, all whole; of ${rig.journal.length} in all, nobody was turned away but by a node that was on its way out`,
    );
    return settleAll(bench, rig, { ids: loads.flatMap(({ taskIds }) => taskIds), deadAt: Date.now() });
  },
};

const isWhole = ({ status, complete }: JournalEntry): boolean => status === 200 && complete;

/** By a node that stops or is not there: the client is told to come back, or does not get through. */
const isTurnedAway = ({ status, code, retryAfter }: JournalEntry): boolean =>
  status === undefined || (status === 503 && code === 'overloaded' && retryAfter !== undefined);

/** As an operator does it: the node ends what it has, and the present build comes in its place. */
async function upgrade(rig: Rig, index: number): Promise<void> {
  const { port } = rig.gateway(index);
  const { code } = await rig.gateway(index).end('SIGTERM');
  assert.equal(code, 0, `the old node ended with ${code}`);
  await rig.startAt(index, port, { ...rig.start, folder: undefined });
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
