// Every vendor of videos against its own side in the sandbox, on both stores: success with the arithmetic of each unit,
// refusal, failure, success without a video, throttle against empty account, cancel, lost answers (contract-2 9).
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { Task } from '#contract/tasks.ts';
import type { TestGateway } from './support/gateway.ts';
import { balanceOf, nano, requestOf } from './support/money.ts';
import { call, onEveryGateway, submit, submitted, taskOf, wrapperOf } from './support/videos.ts';
import { type Vendor, vendors } from './support/video-vendors.ts';
import { waitUntil } from './support/wait.ts';
import { makeChannel, makeWorld, type World } from './support/world.ts';

onEveryGateway((gateway) => {
  for (const [name, vendor] of Object.entries(vendors))
    test(name, { concurrency: true }, (t) => checkVendor(t, { name, vendor, gateway: gateway() }));

  test("Kling's own paths answer in its envelope, by the same task and at the same price (contract-2 9)", async (t) => {
    const one = await VendorWorld.make(t, { vendor: vendors['kling'] ?? assert.fail(), gateway: gateway() });
    const send = (kind: string, body: object): Promise<Response> =>
      call(one, 'POST', `/kling/v1/videos/${kind}`, {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const fields = { model_name: one.model, prompt: 'a cat', duration: '10', mode: 'pro', sound: 'on', cfg_scale: 0.5 };
    const made = (await (await send('text2video', fields)).json()) as KlingAnswer;
    assert.deepEqual([made.code, made.data.task_status], [0, 'submitted']);
    const id = made.data.task_id;
    assert.equal((await one.ended(id)).charge, '1.8');
    const fetched = await call(one, 'GET', `/kling/v1/videos/text2video/${id}`);
    const { data } = (await fetched.json()) as KlingAnswer;
    assert.equal(data.task_status, 'succeed');
    assert.match(data.task_result?.videos[0]?.url ?? '', /\.mp4\?/);
    assert.equal((await call(one, 'GET', `/v1/videos/${id}`)).status, 200);
    const refused = await send('image2video', fields);
    assert.deepEqual([refused.status, ((await refused.json()) as KlingAnswer).code], [400, 1201]);
    const unknown = await call(one, 'GET', '/kling/v1/videos/text2video/task_none');
    assert.deepEqual([unknown.status, ((await unknown.json()) as KlingAnswer).code], [404, 1203]);
  });
});

interface KlingAnswer {
  code: number;
  data: { task_id: string; task_status: string; task_result?: { videos: { url: string }[] } };
}

interface Checked {
  name: string;
  vendor: Vendor;
  gateway: TestGateway;
}

/** All at once in one account: what it has spent at the end is the sum of what each was to cost. */
async function checkVendor(t: TestContext, { name, vendor, gateway }: Checked): Promise<void> {
  const one = await VendorWorld.make(t, { vendor, gateway });
  const { reported } = vendor;
  const check = (what: string, work: () => Promise<void>): Promise<void> => t.test(`${name}: ${what}`, work);
  await Promise.all([
    check('what is asked for is sent, and a video is charged by its price and fetched (contract-2 9)', () =>
      checkSuccess(one),
    ),
    reported !== undefined &&
      check('what the vendor reports is charged; without a report, what was held (contract-2 9)', () =>
        checkReported(one, reported),
      ),
    check('a task that fails or is withheld for its content costs nothing, and says why', () => checkFailures(one)),
    vendor.hasNoLink !== true &&
      check('a success without a video is a failure with a refund (contract-2 9)', () => checkEmptySuccess(one)),
    check("a refusal of the request is the caller's, in the vendor's words, and costs nothing", () =>
      checkRefusals(one),
    ),
    check('a throttle is not an empty account, and both move to the next channel (contract-2 9)', () =>
      checkThrottle(one),
    ),
    check('a task that is deleted costs nothing, and is cancelled where the vendor can be asked to', () =>
      checkCancel(one),
    ),
    check('a lost answer is never sent again, and found where the vendor can be asked (promise V-05)', () =>
      checkLost(one),
    ),
  ]);
  const balance = nano(await balanceOf(gateway, one.account.id));
  assert.equal(balance, nano('100') - one.owed, 'the account has spent what its tasks were to cost');
}

type Offered = 'priced' | 'reported' | 'throttled' | 'empty' | 'moved-on' | 'lost';

/** One account, and a model for each way in which the vendor answers. */
class VendorWorld {
  readonly gateway: TestGateway;
  readonly account: World['account'];
  readonly key: string;
  readonly model: string;
  readonly vendor: Vendor;
  /** Nano-units. */
  owed = 0n;
  #listing: Promise<Task[]> | undefined;

  private constructor({ gateway, account, key, model }: World, vendor: Vendor) {
    this.gateway = gateway;
    this.account = account;
    this.key = key;
    this.model = model;
    this.vendor = vendor;
  }

  static async make(t: TestContext, { vendor, gateway }: Omit<Checked, 'name'>): Promise<VendorWorld> {
    const model = { price: vendor.price } as object;
    const one = new VendorWorld(await makeWorld(gateway, t, { model, channels: [] }), vendor);
    for (const way of ['throttled', 'empty', 'moved-on', 'lost'] as const) await one.#offer(way, vendor.price);
    if (vendor.reported !== undefined) await one.#offer('reported', vendor.reported.price);
    await one.#connect('task-time-0', { priority: 0, ways: ['priced', 'reported', 'moved-on'] });
    await one.#connect('rate-limited-7', { priority: 2, ways: ['throttled', 'moved-on'] });
    await one.#connect('no-balance', { priority: 1, ways: ['empty', 'moved-on'] });
    await one.#connect('lose-answer,task-time-0', { priority: 1, ways: ['lost'] });
    await one.#connect('task-time-0', { priority: 0, ways: ['lost'] });
    return one;
  }

  /** A request of the vendor's, and the model that is answered so. */
  body(way: Offered, more: Record<string, unknown> = {}): Record<string, unknown> {
    return { ...this.vendor.body, model: this.#modelOf(way), ...more };
  }

  submitted(way: Offered, more: Record<string, unknown> = {}): Promise<string> {
    return submitted(this, this.body(way, more));
  }

  /** Those who wait at the same time share one look. */
  async ended(id: string): Promise<Task> {
    let task: Task | undefined;
    await waitUntil(
      async () => {
        this.#listing ??= this.#list().finally(() => (this.#listing = undefined));
        task = (await this.#listing).find((listed) => listed.id === id);
        return task !== undefined && task.completed_at !== null;
      },
      `${this.vendor.provider}: the task has no end: ${JSON.stringify(task)}`,
    );
    return task as Task;
  }

  /** A success at this price. */
  async succeeds(id: string, cost: string): Promise<Task> {
    const task = await this.ended(id);
    assert.deepEqual([task.status, task.charge], ['SUCCESS', cost], task.fail_reason ?? '');
    this.owed += nano(cost);
    return task;
  }

  /** A poll of every 50 ms may keep the owner from it for a while on a busy machine. */
  async remove(id: string): Promise<void> {
    let status = 0;
    await waitUntil(async () => {
      ({ status } = await call(this, 'DELETE', `/v1/videos/${id}`));
      return status !== 503;
    }, `${id} is being changed all the time`);
    assert.equal(status, 200);
  }

  async #list(): Promise<Task[]> {
    const page = await this.gateway.operator<{ data: Task[] }>('GET', `/tasks?account_id=${this.account.id}&limit=100`);
    return page.data;
  }

  #modelOf(way: Offered): string {
    return way === 'priced' ? this.model : `${this.model}.${way}`;
  }

  async #offer(way: Offered, price: object): Promise<void> {
    await this.gateway.operator('PUT', `/models/${this.#modelOf(way)}`, { price });
  }

  async #connect(behave: string, { priority, ways }: { priority: number; ways: Offered[] }): Promise<void> {
    const { provider, model, key = 'upstream-key-0001', lists } = this.vendor;
    // What is looked for in a list is known by its model and time.
    const upstream = (way: Offered): string => (lists === true && way === 'lost' ? this.model : model);
    await makeChannel(this.gateway, Object.fromEntries(ways.map((way) => [this.#modelOf(way), upstream(way)])), {
      provider,
      base_url: this.gateway.upstream.baseUrl(provider, behave),
      keys: [key],
      priority,
    });
  }
}

async function checkSuccess(one: VendorWorld): Promise<void> {
  const { vendor } = one;
  const response = await submit(one, one.body('priced'));
  const { id } = (await response.json()) as { id: string };
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('x-tollgate-dropped'), null);
  const { arithmetic } = await one.succeeds(id, vendor.cost);
  assert.match(arithmetic ?? '', vendor.arithmetic);
  const content = await call(one, 'GET', `/v1/videos/${id}/content`);
  assert.equal(content.status, 200);
  assert.equal(Buffer.from(await content.arrayBuffer()).toString('latin1', 4, 8), 'ftyp');
  if (vendor.needsKey === true)
    assert.match((await wrapperOf(one, id)).result_url, new RegExp(`/v1/videos/${id}/content$`));
  if (vendor.archives) await waitUntil(async () => (await taskOf(one, id)).archived, 'the video is not archived');
  const sent = one.gateway.upstream.records.findLast(
    ({ path, body }) => path.endsWith(vendor.sent.path) && isSubset(vendor.sent.body, body),
  );
  assert.ok(sent !== undefined, 'the vendor was sent something else');
}

async function checkReported(one: VendorWorld, { cost, held }: NonNullable<Vendor['reported']>): Promise<void> {
  const asked = (directive: string): Promise<string> => one.submitted('reported', { prompt: `a cat ${directive}` });
  const [counted, silent, absurd] = await Promise.all([asked(''), asked('[[no-usage]]'), asked('[[usage-absurd]]')]);
  await one.succeeds(counted, cost);
  await one.succeeds(silent, held);
  await one.succeeds(absurd, held); // promise M-10
}

async function checkFailures(one: VendorWorld): Promise<void> {
  const ends = ['task-fails', 'task-fails-bare', 'task-blocked'];
  const ids = await Promise.all(ends.map((end) => one.submitted('priced', { prompt: `a cat [[${end}]]` })));
  for (const id of ids) {
    const { status, charge, fail_reason } = await one.ended(id);
    assert.deepEqual([status, charge], ['FAILURE', '0']);
    assert.notEqual(fail_reason ?? '', '');
  }
}

async function checkEmptySuccess(one: VendorWorld): Promise<void> {
  const { status, charge, error_code } = await one.ended(await one.submitted('priced', { prompt: 'a cat [[no-url]]' }));
  assert.deepEqual([status, charge, error_code], ['FAILURE', '0', 'no_video']);
}

async function checkRefusals(one: VendorWorld): Promise<void> {
  const { bad } = one.vendor;
  const isTaskStyle = Object.keys(bad.metadata).length === 0;
  const more = isTaskStyle ? { size: 'square' } : { metadata: bad.metadata };
  const response = await submit(one, one.body('priced', more));
  const text = await response.text();
  assert.ok([400, 422].includes(response.status), text);
  assert.match(text, bad.message);
  const blocked = await submit(one, one.body('priced', { prompt: 'no [[input-blocked]]' }));
  assert.ok([400, 422].includes(blocked.status), await blocked.text());
}

async function checkThrottle(one: VendorWorld): Promise<void> {
  const moved = await submit(one, one.body('moved-on'));
  const { id } = (await moved.json()) as { id: string };
  assert.deepEqual(
    (await requestOf(one.gateway, moved)).attempts.map(({ error }) => error !== null),
    [true, true, false],
    'the throttled and the empty channel are asked, then the next',
  );
  await one.succeeds(id, one.vendor.cost);
  const throttled = await submit(one, one.body('throttled'));
  assert.equal(throttled.status, 429, await throttled.text());
  const empty = await submit(one, one.body('empty'));
  assert.equal(empty.status, 502, await empty.text());
}

async function checkCancel(one: VendorWorld): Promise<void> {
  const { cancel, body } = one.vendor;
  const metadata = { ...(body['metadata'] as object | undefined), ...cancel?.metadata };
  const id = await one.submitted('priced', { prompt: 'a cat [[task-queued]]', metadata });
  const { upstream_id: upstreamId } = await taskOf(one, id);
  assert.ok(upstreamId !== null);
  await one.remove(id);
  const { status, charge } = await taskOf(one, id);
  assert.deepEqual([status, charge], ['FAILURE', '0']);
  const wanted = cancel ?? { method: 'DELETE', path: /$/ };
  const asked = one.gateway.upstream.records.find(
    ({ method, path, status: answered }) =>
      method === wanted.method && wanted.path.test(path) && path.includes(upstreamId) && (answered ?? 500) < 300,
  );
  assert.equal(asked !== undefined, cancel !== undefined, 'the vendor was asked to cancel');
}

async function checkLost(one: VendorWorld): Promise<void> {
  const { vendor } = one;
  const prompt = `lost ${one.model}`;
  const id = await one.submitted('lost', { prompt });
  if (vendor.findsLost === true || vendor.lists === true) await one.succeeds(id, vendor.cost);
  else {
    assert.equal((await taskOf(one, id)).state, 'SUBMIT_UNKNOWN');
    await one.remove(id);
  }
  assert.equal(one.gateway.upstream.tasks().filter((task) => task.prompt === prompt).length, 1);
}

function isSubset(part: unknown, whole: unknown): boolean {
  if (typeof part !== 'object' || part === null) return part === whole;
  if (typeof whole !== 'object' || whole === null) return false;
  return Object.entries(part).every(([name, value]) => isSubset(value, (whole as Record<string, unknown>)[name]));
}
