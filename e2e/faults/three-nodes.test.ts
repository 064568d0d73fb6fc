// Three nodes on one PostgreSQL under load, while one is killed and another is stopped and started again: no charge is lost
// or doubled, no task is stuck, and streams on the node that nobody touches go through. FLEET_ROUNDS makes it longer.
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { type Sandbox, startSandbox } from '../../server/src/sandbox/server.ts';
import type { StoreSettings } from '../../server/src/store/store.ts';
import { onEveryStoreSettings } from '../../server/src/testing/stores.ts';
import { startVideoStub, type VideoStub } from '../support/video-stub.ts';
import { pause } from '../support/wait.ts';
import { chat, type JournalEntry } from './chat-client.ts';
import { callOperatorOf, type GatewayProcess, startGatewayProcess } from './gateway-process.ts';
import { Operator, TOKENS_MODEL, untilOffered } from './operator.ts';
import { checkBooks, checkJournal, checkUpstream, readBooks, untilNoOpenHold, withStore } from './reconcile.ts';

const ROUNDS = Number(process.env['FLEET_ROUNDS'] ?? 2);
const CLIENTS_PER_NODE = 5;
const VIDEO = 'fleet-video';
const MORE = { TOLLGATE_TASK_POLL_MS: '200' };
/** 108,900 tokens at 7 per million, in nano-units. */
const VIDEO_CHARGE = 762_300_000n;
const ENDED_WITHIN_MS = 25_000;

/** Clients of one node, whichever process is behind its address just now. */
class NodeLoad {
  readonly journal: JournalEntry[] = [];
  readonly videos: string[] = [];
  readonly #clients: Promise<void>[];
  static #calls = 0;
  #isRunning = true;

  constructor(address: string, key: string) {
    this.#clients = Array.from({ length: CLIENTS_PER_NODE }, (_, client) => this.#callOn(address, key, client));
    this.#clients.push(this.#submitOn(address, key));
  }

  async end(): Promise<void> {
    this.#isRunning = false;
    await Promise.all(this.#clients);
  }

  async #callOn(address: string, key: string, client: number): Promise<void> {
    let count = client;
    while (this.#isRunning) {
      count++;
      const stream = count % 2 === 0;
      const text = stream ? `Tell. [[long ${10 + (count % 20)}]] [[pace 25]]` : `Tell. [[long ${5 + (count % 9)}]]`;
      const maxTokens = 1_000 + NodeLoad.#calls++;
      const entry = await chat({ address, key, model: TOKENS_MODEL, text, stream, maxTokens });
      this.journal.push(entry);
      if (entry.status === undefined) await pause(50);
    }
  }

  async #submitOn(address: string, key: string): Promise<void> {
    let count = 0;
    while (this.#isRunning) {
      count++;
      try {
        const response = await fetch(`${address}/v1/video/generations`, {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body: JSON.stringify({ model: VIDEO, prompt: `${address} ${count}` }),
        });
        const { id } = (await response.json()) as { id?: string };
        if (response.status === 200 && id !== undefined) this.videos.push(id);
      } catch {
        // its node is away
      }
      await pause(150);
    }
  }
}

interface Fleet {
  settings: StoreSettings;
  nodes: GatewayProcess[];
  upstream: Sandbox;
  stub: VideoStub;
  key: string;
}

async function startFleet(t: TestContext, settings: StoreSettings): Promise<Fleet> {
  const [upstream, stub] = [await startSandbox(), await startVideoStub()];
  t.after(() => Promise.all([upstream.stop(), stub.stop()]));
  const nodes: GatewayProcess[] = [];
  t.after(() => Promise.all(nodes.map((node) => node.end('SIGKILL'))));
  for (let count = 0; count < 3; count++) nodes.push(await startGatewayProcess(settings, { environment: MORE }));
  const { address = '' } = nodes[0] ?? {};
  const operator = new Operator(address);
  await operator.offerModels(upstream.baseUrl('openai'));
  const price = { unit: 'video_tokens', generate: '7', video_input: '4.3' };
  await callOperatorOf(address, 'PUT', `/models/${VIDEO}`, { price });
  await callOperatorOf(address, 'POST', '/channels', {
    name: 'videos in the test',
    provider: 'beta-video',
    base_url: stub.baseUrl,
    keys: ['stub-key-0001'],
    models: { [VIDEO]: 'upstream-model' },
  });
  const { key } = await operator.addToken(await operator.addAccount('1000000'));
  for (const node of nodes) await untilOffered(node.address, key, VIDEO);
  return { settings, nodes, upstream, stub, key };
}

async function killAndRestart({ settings, nodes }: Fleet): Promise<void> {
  const [, killed, restarted] = nodes;
  assert.ok(killed !== undefined && restarted !== undefined);
  await pause(1_500);
  await killed.end('SIGKILL');
  await pause(500);
  const { code } = await restarted.end('SIGTERM');
  assert.equal(code, 0);
  nodes[2] = await startGatewayProcess(settings, { port: restarted.port, environment: MORE });
  nodes[1] = await startGatewayProcess(settings, { port: killed.port, environment: MORE });
}

async function checkVideos({ settings, stub }: Fleet, answered: readonly string[]): Promise<Record<string, number>> {
  const tasks = await withStore(settings, ({ reads }) => reads.selectFrom('tasks').selectAll().execute());
  const books = await readBooks(settings);
  const known = new Set(tasks.map(({ id }) => id));
  for (const id of answered) assert.ok(known.has(id), `${id} was answered and is gone`);
  assert.ok(stub.submits <= tasks.length, `${stub.submits} submits for ${tasks.length} tasks`);
  const ends = Map.groupBy(tasks, ({ state }) => state);
  assert.deepEqual(
    [...ends.keys()].filter((state) => state !== 'SUCCESS' && state !== 'FAILURE'),
    [],
    'a task is stuck',
  );
  for (const { id, state } of tasks) {
    const settles = books.entries.filter(({ task_id, kind }) => task_id === id && kind === 'settle');
    assert.deepEqual(
      settles.map(({ amount }) => amount),
      state === 'SUCCESS' ? [VIDEO_CHARGE] : [],
      `charge of ${id}`,
    );
  }
  return Object.fromEntries([...ends].map(([state, list]) => [state, list.length]));
}

/** A submit whose node was killed before the answer came cannot be told apart from others: its deadline is brought near. */
async function bringDeadlines(settings: StoreSettings): Promise<void> {
  await withStore(settings, (store) =>
    store.transaction((transaction) =>
      transaction
        .updateTable('tasks')
        .set({ deadline: 1, next_poll_at: 1 })
        .where('state', 'in', ['SUBMITTING', 'SUBMIT_UNKNOWN'])
        .execute(),
    ),
  );
}

onEveryStoreSettings((makeSettings, dialect) => {
  if (dialect === 'sqlite') return; // nodes share a PostgreSQL

  test('three nodes, one killed and one restarted under load: books, tasks and streams are whole', async (t) => {
    const fleet = await startFleet(t, await makeSettings());
    const loads = fleet.nodes.map(({ address }) => new NodeLoad(address, fleet.key));
    for (let round = 0; round < ROUNDS; round++) await killAndRestart(fleet);
    await pause(1_500);
    await Promise.all(loads.map((load) => load.end()));

    await pause(12_000); // until the dead are known to be dead
    await bringDeadlines(fleet.settings);
    const waited = await untilNoOpenHold(fleet.settings, ENDED_WITHIN_MS);
    const books = await readBooks(fleet.settings);
    const journal = loads.flatMap((load) => load.journal);
    checkBooks(books);
    const answered = checkJournal(books, journal);
    checkUpstream({ ...books, holds: books.holds.filter(({ id }) => !id.startsWith('task_')) }, fleet.upstream.records);
    const videos = loads.flatMap((load) => load.videos);
    const ends = await checkVideos(fleet, videos);
    const [healthy] = loads;
    const broken = healthy?.journal.filter(
      ({ status, complete, code }) => status !== 200 || !complete || code !== undefined,
    );
    assert.deepEqual(broken, [], 'the node that nobody touched');
    t.diagnostic(
      `${ROUNDS} rounds: ${journal.length} calls (${healthy?.journal.length} on the healthy node), ${answered} answered and charged ` +
        `once, videos ${JSON.stringify(ends)}; the last hold ended ${waited} ms after the wait for the dead`,
    );
    assert.ok(answered > 60 && videos.length > 5, 'too little load to prove anything');
  });
});
