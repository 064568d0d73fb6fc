// Every vendor of videos against its own side in the sandbox, on both stores: success with the arithmetic of each unit,
// refusal, failure, success without a video, throttle against empty account, lost answers (contract-2 9).
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { SandboxProvider } from '../server/src/sandbox/server.ts';
import { balanceOf } from './support/money.ts';
import { call, onEveryGateway, submit, submitted, taskOf, untilStatus } from './support/videos.ts';
import { waitUntil } from './support/wait.ts';
import { makeChannel, makeWorld, type World } from './support/world.ts';
import type { TestGateway } from './support/gateway.ts';

interface Vendor {
  provider: SandboxProvider;
  /** As the vendor calls it. */
  model: string;
  key?: string;
  /** What the submit asks for beside the prompt. */
  body: Record<string, unknown>;
  price: object;
  /** What a success costs of 100, with the words of the arithmetic. */
  cost: string;
  arithmetic: RegExp;
  /** Prices by what the vendor itself reports, where it does. */
  reported?: { price: object; cost: string; held: string };
  /** A refusal of this vendor's fields: what is sent, and what the caller reads. */
  bad: { metadata: Record<string, unknown>; message: RegExp };
  /** The request that the vendor got. */
  sent: { path: string; body: Record<string, unknown> };
  /** A submit whose answer was lost is found again by the name that we gave it. */
  findsLost?: true;
  /** Only the gateway's key opens the video: clients are shown the gateway's own link. */
  needsKey?: true;
  /** Its `completed` is believed: there is no link in it. */
  hasNoLink?: true;
  archives: boolean;
}

const image = 'https://media.example/a.png';
const second = (amount: string, more: object = {}): object => ({ unit: 'second', amount, ...more });
const reported = (amount: string, hold: string): object => ({ unit: 'reported', amount, hold });

const vendors: Record<string, Vendor> = {
  kling: {
    provider: 'kling',
    model: 'kling-v2-6',
    key: 'sandbox:sandbox-secret',
    body: { seconds: '10', size: '1280x720', mode: 'pro', metadata: { sound: 'on' } },
    price: second('0.1', { factors: { 'mode:pro': '1.5', 'sound:on': '1.2', 'mode:std': '9' } }),
    cost: '1.8',
    arithmetic: /^10 seconds x 0\.1 x 1 \(1080P\) x 1\.5 \(mode:pro\) x 1\.2 \(sound:on\)$/,
    reported: { price: reported('0.14', '5'), cost: '0.49', held: '5' },
    bad: { metadata: { cfg_scale: 7 }, message: /cfg_scale is not valid/ },
    sent: {
      path: '/kling/v1/videos/text2video',
      body: { model_name: 'kling-v2-6', duration: '10', aspect_ratio: '16:9', mode: 'pro', sound: 'on' },
    },
    findsLost: true,
    archives: false,
  },
  'kling with a picture': {
    provider: 'kling',
    model: 'kling-v2-1-master',
    body: { image: 'data:image/png;base64,QUJD', duration: 5 },
    price: second('0.2'),
    cost: '1',
    arithmetic: /^5 seconds x 0\.2 x 1 \(720P\)$/,
    bad: { metadata: { shot_type: 'wild' }, message: /shot_type is not valid/ },
    sent: { path: '/kling/v1/videos/image2video', body: { image: 'QUJD', duration: '5' } },
    findsLost: true,
    archives: false,
  },
  'minimax H3': {
    provider: 'minimax',
    model: 'MiniMax-H3',
    body: { seconds: '6', metadata: { resolution: '2K', ratio: '9:16' } },
    price: second('0.08', { resolution: { '768P': '1', '2K': '1.625' } }),
    cost: '0.78',
    arithmetic: /^6 seconds x 0\.08 x 1\.625 \(2K\)$/,
    reported: { price: reported('0.13', '2'), cost: '0.78', held: '2' },
    bad: { metadata: { duration: 40 }, message: /duration is not valid/ },
    sent: {
      path: '/minimax/v2/video_generation',
      body: { model: 'MiniMax-H3', duration: 6, resolution: '2K', ratio: '9:16' },
    },
    archives: true,
  },
  'minimax Hailuo': {
    provider: 'minimax',
    model: 'MiniMax-Hailuo-2.3',
    body: { duration: 6, images: [image] },
    price: second('0.05'),
    cost: '0.3',
    arithmetic: /^6 seconds x 0\.05 x 1 \(768P\)$/,
    bad: { metadata: { duration: 7 }, message: /duration is not valid/ },
    sent: { path: '/minimax/v1/video_generation', body: { first_frame_image: image, duration: 6, resolution: '768P' } },
    archives: true,
  },
  runway: {
    provider: 'runway',
    model: 'gen4.5',
    body: { seconds: '4', size: '720x1280', images: [image] },
    price: second('0.12', { factors: { 'audio:on': '2' } }),
    cost: '0.48',
    arithmetic: /^4 seconds x 0\.12 x 1 \(720P\)$/,
    reported: { price: reported('0.01', '3'), cost: '0.48', held: '3' },
    bad: { metadata: { seed: -1 }, message: /seed is not valid/ },
    sent: { path: '/runway/v1/image_to_video', body: { promptImage: image, ratio: '720:1280', duration: 4 } },
    archives: true,
  },
  'luma Agents': {
    provider: 'luma',
    model: 'ray-3.2',
    body: { images: [image, `${image}?end`], metadata: { video: { resolution: '1080p' }, loop: true } },
    price: second('0.1', { resolution: { '1080P': '2' }, factors: { 'loop:on': '1.1' } }),
    cost: '1.1',
    arithmetic: /^5 seconds x 0\.1 x 2 \(1080P\) x 1\.1 \(loop:on\)$/,
    bad: { metadata: { aspect_ratio: '5:1' }, message: /aspect_ratio is not valid/ },
    sent: {
      path: '/luma/v1/generations',
      body: {
        type: 'video',
        video: {
          resolution: '1080p',
          duration: '5s',
          loop: true,
          start_frame: { url: image },
          end_frame: { url: `${image}?end` },
        },
      },
    },
    archives: true,
  },
  'luma Dream Machine': {
    provider: 'luma',
    model: 'ray-2',
    body: { seconds: '9', image },
    price: second('0.1'),
    cost: '0.9',
    arithmetic: /^9 seconds x 0\.1 x 1 \(720P\)$/,
    bad: { metadata: { resolution: '8k' }, message: /resolution is not valid/ },
    sent: {
      path: '/luma/dream-machine/v1/generations/video',
      body: { duration: '9s', keyframes: { frame0: { type: 'image', url: image } } },
    },
    archives: true,
  },
  vidu: {
    provider: 'vidu',
    model: 'viduq2',
    body: { seconds: '4', images: [image, `${image}?end`], metadata: { bgm: true } },
    price: second('0.05', { factors: { 'bgm:on': '1.2' } }),
    cost: '0.24',
    arithmetic: /^4 seconds x 0\.05 x 1 \(720P\) x 1\.2 \(bgm:on\)$/,
    reported: { price: reported('0.005', '1'), cost: '0.08', held: '1' },
    bad: { metadata: { movement_amplitude: 'huge' }, message: /movement_amplitude is not valid/ },
    sent: { path: '/vidu/ent/v2/start-end2video', body: { images: [image, `${image}?end`], duration: 4, bgm: true } },
    archives: true,
  },
  xai: {
    provider: 'xai-video',
    model: 'grok-imagine-video',
    body: { seconds: '6', size: '1280x720' },
    price: second('0.05', { resolution: { '480P': '1', '720P': '1.4' } }),
    cost: '0.42',
    arithmetic: /^6 seconds x 0\.05 x 1\.4 \(720P\)$/,
    reported: { price: reported('1.1', '2'), cost: '0.462', held: '2' },
    bad: { metadata: { aspect_ratio: '8:1' }, message: /aspect_ratio is not valid/ },
    sent: { path: '/xai/v1/videos/generations', body: { duration: 6, resolution: '720p', aspect_ratio: '16:9' } },
    archives: true,
  },
  'gemini Omni': {
    provider: 'gemini-video',
    model: 'gemini-omni-1.1-flash',
    body: { seconds: '6', size: '1280x720', image: 'data:image/png;base64,QUJD' },
    price: second('0.1'),
    cost: '0.6',
    arithmetic: /^6 seconds x 0\.1 x 1 \(720P\)$/,
    reported: { price: reported('0.0000175', '2'), cost: '0.60816', held: '2' },
    bad: { metadata: { resolution: '9k' }, message: /response_format is not valid/ },
    sent: {
      path: '/gemini-omni/v1beta/interactions',
      body: {
        background: true,
        response_format: { type: 'video', duration: '6s', resolution: '720p', aspect_ratio: '16:9' },
        input: [{ content: [{ type: 'image', data: 'QUJD', mime_type: 'image/png' }, { type: 'text' }] }],
      },
    },
    needsKey: true,
    archives: true,
  },
  'gemini Omni inside the answer': {
    provider: 'gemini-video',
    model: 'gemini-omni-1.1-flash',
    body: { metadata: { response_format: { delivery: 'inline', duration: '4s' } } },
    price: second('0.1'),
    cost: '0.4',
    arithmetic: /^4 seconds x 0\.1 x 1 \(720P\)$/,
    bad: { metadata: { duration: 90 }, message: /response_format is not valid/ },
    sent: {
      path: '/gemini-omni/v1beta/interactions',
      body: { response_format: { delivery: 'inline', duration: '4s' } },
    },
    needsKey: true,
    archives: true,
  },
  'veo on Vertex': {
    provider: 'vertex-video',
    model: 'veo-3.1-generate-001',
    body: {
      seconds: '4',
      images: ['data:image/png;base64,QUJD', 'data:image/png;base64,REVG'],
      metadata: { parameters: { generateAudio: false }, seed: 0 },
    },
    price: second('0.4', { factors: { 'audio:off': '0.5' } }),
    cost: '0.8',
    arithmetic: /^4 seconds x 0\.4 x 1 \(720P\) x 0\.5 \(audio:off\)$/,
    bad: { metadata: { durationSeconds: 5 }, message: /parameters is not valid/ },
    sent: {
      path: '/veo/v1/publishers/google/models/veo-3.1-generate-001:predictLongRunning',
      body: {
        instances: [{ image: { bytesBase64Encoded: 'QUJD' }, lastFrame: { bytesBase64Encoded: 'REVG' } }],
        parameters: { durationSeconds: 4, generateAudio: false, seed: 0, sampleCount: 1 },
      },
    },
    needsKey: true,
    archives: true,
  },
  'openai in the task style': {
    provider: 'openai',
    model: 'any-video',
    body: { seconds: '8', size: '1280x720', image, metadata: { style: 'noir' } },
    price: second('0.1', { resolution: { '1280X720': '1.5' } }),
    cost: '1.2',
    arithmetic: /^8 seconds x 0\.1 x 1\.5 \(1280X720\)$/,
    bad: { metadata: {}, message: /'size' is not valid/ },
    sent: {
      path: '/openai/v1/videos',
      body: { seconds: '8', size: '1280x720', input_reference: image, metadata: { style: 'noir' } },
    },
    needsKey: true,
    hasNoLink: true,
    archives: false,
  },
};

onEveryGateway((gateway) => {
  for (const [name, vendor] of Object.entries(vendors)) suite(name, vendor, gateway);

  test("Kling's own paths answer in its envelope, by the same task and at the same price (contract-2 9)", async (t) => {
    const vendor = vendors['kling'] ?? assert.fail();
    const one = await makeVendorWorld(gateway(), t, { vendor, behave: ['task-time-0'], price: vendor.price });
    const send = (kind: string, body: object): Promise<Response> =>
      call(one, 'POST', `/kling/v1/videos/${kind}`, {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const fields = { model_name: one.model, prompt: 'a cat', duration: '10', mode: 'pro', sound: 'on', cfg_scale: 0.5 };
    const made = (await (await send('text2video', fields)).json()) as KlingAnswer;
    assert.deepEqual([made.code, made.data.task_status], [0, 'submitted']);
    const id = made.data.task_id;
    const fetched = async (): Promise<KlingAnswer> =>
      (await (await call(one, 'GET', `/kling/v1/videos/text2video/${id}`)).json()) as KlingAnswer;
    await waitUntil(async () => (await fetched()).data.task_status === 'succeed', 'the task does not succeed', 60_000);
    assert.match((await fetched()).data.task_result?.videos[0]?.url ?? '', /\.mp4\?/);
    assert.equal(await balanceOf(one.gateway, one.account.id), '98.2');
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

function suite(name: string, vendor: Vendor, gateway: () => TestGateway): void {
  const world = (t: TestContext, behave: readonly string[] = ['task-time-0'], price = vendor.price): Promise<World> =>
    makeVendorWorld(gateway(), t, { vendor, behave, price });
  const spent = async (one: World): Promise<string> => balanceOf(one.gateway, one.account.id);
  const left = (cost: string): string => (Math.round((100 - Number(cost)) * 1e6) / 1e6).toString();

  test(`${name}: what is asked for is sent, and a video is charged by its price and fetched (contract-2 9)`, async (t) => {
    const one = await world(t);
    const response = await submit(one, vendor.body);
    const { id } = (await response.json()) as { id: string };
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('x-tollgate-dropped'), null);
    const wrapper = await untilStatus(one, id, 'SUCCESS', 60_000);
    const task = await taskOf(one, id);
    assert.match(task.arithmetic ?? '', vendor.arithmetic);
    assert.equal(await spent(one), left(vendor.cost));
    const content = await call(one, 'GET', `/v1/videos/${id}/content`);
    assert.equal(content.status, 200);
    assert.equal(
      Buffer.from(await content.arrayBuffer())
        .subarray(4, 8)
        .toString(),
      'ftyp',
    );
    if (vendor.needsKey === true) assert.match(wrapper.result_url, new RegExp(`/v1/videos/${id}/content$`));
    if (vendor.archives) await waitUntil(async () => (await taskOf(one, id)).archived, 'the video is not archived');
    const sent = one.gateway.upstream.records.findLast(
      ({ path, body }) => path.endsWith(vendor.sent.path) && isSubset(vendor.sent.body, body),
    );
    assert.ok(sent !== undefined, 'the vendor was sent something else');
  });

  if (vendor.reported !== undefined) {
    const { price, cost, held } = vendor.reported;
    test(`${name}: what the vendor reports is charged; without a report, what was held (contract-2 9)`, async (t) => {
      const counted = await world(t, ['task-time-0'], price);
      await untilStatus(counted, await submitted(counted, vendor.body), 'SUCCESS', 60_000);
      assert.equal(await spent(counted), left(cost));
      const silent = await world(t, ['task-time-0', 'no-usage'], price);
      await untilStatus(silent, await submitted(silent, vendor.body), 'SUCCESS', 60_000);
      assert.equal(await spent(silent), left(held));
      const absurd = await world(t, ['task-time-0', 'usage-absurd'], price);
      await untilStatus(absurd, await submitted(absurd, vendor.body), 'SUCCESS', 60_000);
      assert.equal(await spent(absurd), left(held), 'promise M-10');
    });
  }

  test(`${name}: a task that fails or is withheld for its content costs nothing, and says why`, async (t) => {
    for (const end of ['task-fails', 'task-fails-bare', 'task-blocked']) {
      const one = await world(t, ['task-time-0', end]);
      const failed = await untilStatus(one, await submitted(one, vendor.body), 'FAILURE', 60_000);
      assert.notEqual(failed.fail_reason, '');
      assert.equal(await spent(one), '100');
    }
  });

  if (vendor.hasNoLink !== true)
    test(`${name}: a success without a video is a failure with a refund (contract-2 9)`, async (t) => {
      const one = await world(t, ['task-time-0', 'no-url']);
      const id = await submitted(one, vendor.body);
      await untilStatus(one, id, 'FAILURE', 90_000);
      assert.equal((await taskOf(one, id)).error_code, 'no_video');
      assert.equal(await spent(one), '100');
    });

  test(`${name}: a refusal of the request is the caller's, in the vendor's words, and costs nothing`, async (t) => {
    const one = await world(t);
    const isTaskStyle = Object.keys(vendor.bad.metadata).length === 0;
    const bad = isTaskStyle ? { size: 'square' } : { metadata: vendor.bad.metadata };
    const response = await submit(one, { ...vendor.body, ...bad });
    const text = await response.text();
    assert.ok([400, 422].includes(response.status), text);
    assert.match(text, vendor.bad.message);
    const blocked = await submit(one, { ...vendor.body, prompt: 'no [[input-blocked]]' });
    assert.ok([400, 422].includes(blocked.status), await blocked.text());
    assert.equal(await spent(one), '100');
  });

  test(`${name}: a throttle is not an empty account, and both move to the next channel (contract-2 9)`, async (t) => {
    const throttled = await submit(await world(t, ['rate-limited-7']), vendor.body);
    assert.equal(throttled.status, 429, await throttled.text());
    const empty = await submit(await world(t, ['no-balance']), vendor.body);
    assert.equal(empty.status, 502, await empty.text());
    for (const first of ['rate-limited-7', 'no-balance']) {
      const one = await world(t, [first]);
      await addChannel(one, vendor, { behave: 'task-time-0', priority: -1 });
      await untilStatus(one, await submitted(one, vendor.body), 'SUCCESS', 60_000);
      assert.equal(await spent(one), left(vendor.cost));
    }
  });

  test(`${name}: what surely was not taken goes on; a lost answer is never sent again (promise V-05)`, async (t) => {
    const one = await world(t, ['lose-answer', 'task-time-0']);
    await addChannel(one, vendor, { behave: 'task-time-0', priority: -1 });
    const prompt = `lost ${one.model}`;
    const id = await submitted(one, { ...vendor.body, prompt });
    if (vendor.findsLost === true) {
      await untilStatus(one, id, 'SUCCESS', 60_000);
      assert.equal(await spent(one), left(vendor.cost));
    } else {
      assert.equal((await taskOf(one, id)).state, 'SUBMIT_UNKNOWN');
      assert.equal((await call(one, 'DELETE', `/v1/videos/${id}`)).status, 200);
    }
    assert.equal(one.gateway.upstream.tasks().filter((task) => task.prompt === prompt).length, 1);
  });
}

async function makeVendorWorld(
  gateway: TestGateway,
  t: TestContext,
  { vendor, behave, price }: { vendor: Vendor; behave: readonly string[]; price: object },
): Promise<World> {
  const one = await makeWorld(gateway, t, { model: { price } as object, channels: [] });
  await addChannel(one, vendor, { behave: behave.join(','), priority: 0 });
  return one;
}

async function addChannel(
  one: World,
  vendor: Vendor,
  { behave, priority }: { behave: string; priority: number },
): Promise<void> {
  const { provider, model, key = 'upstream-key-0001' } = vendor;
  await makeChannel(
    one.gateway,
    { [one.model]: model },
    { provider, base_url: one.gateway.upstream.baseUrl(provider, behave), keys: [key], priority },
  );
}

function isSubset(part: unknown, whole: unknown): boolean {
  if (typeof part !== 'object' || part === null) return part === whole;
  if (typeof whole !== 'object' || whole === null) return false;
  return Object.entries(part).every(([name, value]) => isSubset(value, (whole as Record<string, unknown>)[name]));
}
