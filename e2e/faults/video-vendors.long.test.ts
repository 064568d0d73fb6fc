// kill -9 between any two steps of a task, for every vendor of videos (contract-2 9, promises V-03, V-04, V-05): a process
// holds the tasks of all vendors at one point and dies; the next one finishes them and dies at the next point.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { type Sandbox, startSandbox } from '../../server/src/sandbox/server.ts';
import type { StoreSettings } from '../../server/src/store/open-store.ts';
import { onEveryStoreSettings } from '../../server/src/testing/stores.ts';
import { nano } from '../support/money.ts';
import { type Vendor, vendors } from '../support/video-vendors.ts';
import { waitUntil } from '../support/wait.ts';
import { roundOf, TASK_POINTS, type TaskPoint } from './armed/gather.ts';
import { type GatewayProcess, startGatewayProcess } from './gateway-process.ts';
import { Operator, untilOffered } from './operator.ts';
import { checkBooks, readBooks, untilNoOpenHold } from './reconcile.ts';
import { bringDeadlines, QUICK_POLLS, readTasks } from './rig/providers/video-side.ts';

const GATHER = 'e2e/faults/armed/gather-main.ts';
const all = Object.entries(vendors);
/** Letters of model names. */
const nameOf = (name: string): string => name.toLowerCase().replaceAll(' ', '-');
const promptOf = (point: TaskPoint, name: string): string => `at ${point} with ${name}.`;

interface Outcome {
  /** Submits that the vendor has seen. */
  submits: number;
  state: 'SUCCESS' | 'FAILURE';
}

function outcomeOf(point: TaskPoint, vendor: Vendor): Outcome {
  if (point === 'after-hold' || point === 'before-sent') return { submits: 0, state: 'FAILURE' };
  // Where nobody can ask the vendor what it took, there is no second submit and no charge.
  const isFound = vendor.findsLost === true || vendor.lists === true;
  return { submits: 1, state: point === 'after-taken' && !isFound ? 'FAILURE' : 'SUCCESS' };
}

async function offerVendors(operator: Operator, upstream: Sandbox): Promise<void> {
  const modelsOf = (name: string): string[] => TASK_POINTS.map((point) => roundOf(point, nameOf(name)));
  const source = all.flatMap(([name, { price }]) => modelsOf(name).map((model) => ({ model, price })));
  await operator.send('POST', '/prices/import', { source, create: true });
  for (const [name, vendor] of all) {
    // What is looked for in a list is known by its model and time.
    const upstreamOf = (model: string): string => (vendor.lists === true ? `sandbox-${model}` : vendor.model);
    await operator.send('POST', '/channels', {
      name,
      provider: vendor.provider,
      base_url: upstream.baseUrl(vendor.provider, 'task-polls-2'),
      keys: [vendor.key ?? 'upstream-key-0001'],
      models: Object.fromEntries(modelsOf(name).map((model) => [model, upstreamOf(model)])),
    });
  }
}

/** Those that their process dies with have no answer. */
async function submitAll({ address }: GatewayProcess, key: string, point: TaskPoint): Promise<void> {
  const submits = all.map(async ([name, { body }]) => {
    const model = roundOf(point, nameOf(name));
    const response = await fetch(`${address}/v1/video/generations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, model, prompt: promptOf(point, name) }),
    });
    assert.equal(response.status, 200, `${model} was answered: ${await response.text()}`);
  });
  for (const result of await Promise.allSettled(submits))
    if (result.status === 'rejected' && result.reason instanceof assert.AssertionError) throw result.reason;
}

async function dieAtEveryPoint(t: TestContext, settings: StoreSettings) {
  const upstream = await startSandbox();
  t.after(() => upstream.stop());
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-vendors-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const environment = {
    ...QUICK_POLLS,
    ...(settings.databaseUrl !== undefined && { TOLLGATE_DATA_DIR: folder }),
  };
  const start = async (point?: TaskPoint, port?: number): Promise<GatewayProcess> => {
    const program = point === undefined ? undefined : [GATHER, point, String(all.length)];
    const gateway = await startGatewayProcess(settings, { environment, port, program });
    t.after(() => gateway.end('SIGKILL'));
    return gateway;
  };
  let gateway = await start(TASK_POINTS[0]);
  const operator = new Operator(gateway.address);
  await offerVendors(operator, upstream);
  const { key } = await operator.addToken(await operator.addAccount('1000'));
  for (const [index, point] of TASK_POINTS.entries()) {
    for (const [name] of all) await untilOffered(gateway.address, key, roundOf(point, nameOf(name)));
    await submitAll(gateway, key, point);
    await waitUntil(
      () => gateway.child.signalCode !== null,
      `not all vendors reached ${point}: ${gateway.lastWords()}`,
    );
    gateway = await start(TASK_POINTS[index + 1], gateway.port);
  }
  return { upstream, gateway, key };
}

describe('kill -9 with the tasks of every vendor', { concurrency: true }, () => {
  onEveryStoreSettings((makeSettings) => {
    test('each task ends once, is sent at most once, and costs its price or nothing', async (t) => {
      const settings = await makeSettings();
      const { upstream, gateway, key } = await dieAtEveryPoint(t, settings);
      const expected = new Map(
        TASK_POINTS.flatMap((point) =>
          all.map(([name, vendor]) => {
            const price = nano(vendor.cost);
            return [roundOf(point, nameOf(name)), { ...outcomeOf(point, vendor), price, point, name }] as const;
          }),
        ),
      );
      const succeeding = [...expected.values()].filter(({ state }) => state === 'SUCCESS').length;
      const succeeded = async (): Promise<number> =>
        (await readTasks(settings)).filter(({ state }) => state === 'SUCCESS').length;
      await waitUntil(async () => (await succeeded()) >= succeeding, 'not all videos are finished', 60_000);
      await bringDeadlines(settings);
      await untilNoOpenHold(settings, 240_000);

      const [tasks, books] = [await readTasks(settings), await readBooks(settings)];
      checkBooks(books);
      assert.equal(tasks.length, expected.size);
      for (const { id, model, state, charge, ends } of tasks) {
        const wanted = expected.get(model) ?? assert.fail(model);
        assert.deepEqual([state, ends], [wanted.state, 1], `end of ${model}`);
        const price = wanted.state === 'SUCCESS' ? [wanted.price] : [];
        const settles = books.entries.filter(({ task_id, kind }) => task_id === id && kind === 'settle');
        assert.deepEqual(
          settles.map(({ amount }) => amount),
          price,
          `charge of ${model}`,
        );
        assert.equal(charge, price[0] ?? 0n);
        const prompt = promptOf(wanted.point, wanted.name);
        const submits = upstream.records.filter(({ method, body }) => method === 'POST' && isSubmit(body, prompt));
        assert.equal(submits.length, wanted.submits, `submits of ${model}`);
      }
      for (const { id, model } of tasks.filter((task) => task.model.startsWith('after-end.'))) {
        const headers = { authorization: `Bearer ${key}` };
        const video = await fetch(`${gateway.address}/v1/videos/${id}/content`, { headers });
        assert.equal(video.status, 200, `video of ${model}`);
        assert.equal(Buffer.from(await video.arrayBuffer()).toString('latin1', 4, 8), 'ftyp');
      }
    });
  });
});

function isSubmit(body: unknown, prompt: string): boolean {
  return JSON.stringify(body ?? '').includes(prompt);
}
