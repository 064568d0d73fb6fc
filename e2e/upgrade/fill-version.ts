// What a version has in its database when its fixture is made, by its own API: every kind of row that a later version must take
// over. Only calls that the first version has, too.
import assert from 'node:assert/strict';
import type { VideoStub } from '../support/video-stub.ts';
import { pause, waitUntil } from '../support/wait.ts';

export const OPERATOR_KEY = 'operator-key-of-the-versions';
export const SECRET = 'master-secret-of-the-versions';
export const CHAT_MODEL = 'version-chat';
export const VIDEO_MODEL = 'version-video';

/** What must be the same in every later version. */
export interface VersionFacts {
  channels: { chat: string; videos: string };
  /** Balance of each account when the gateway had stopped, with what the running task holds. */
  accounts: { id: string; name: string; balance: string }[];
  /** Keys, and the status that a chat with each is answered with. */
  tokens: { id: string; key: string; status: number }[];
  ledgerEntries: number;
  requests: { id: string; charge: string }[];
  tasks: { done: string; failed: string; running: string };
  /** As the provider knows the running task. */
  upstreamTask: string;
}

type Json = Record<string, unknown> & { id: string; key: string; balance: string };

export function asOperator(address: string) {
  return async (method: string, path: string, body?: object): Promise<Json> => {
    const response = await fetch(`${address}/operator/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${OPERATOR_KEY}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}`);
    return (text === '' ? {} : JSON.parse(text)) as Json;
  };
}

export function asClient(address: string, key: string) {
  return (path: string, body?: object): Promise<Response> =>
    fetch(`${address}/v1${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
}

export const chatBody = (content: string, more: object = {}): object => ({
  model: CHAT_MODEL,
  messages: [{ role: 'user', content }],
  ...more,
});

export async function fillVersion(
  address: string,
  { chat, videos }: { chat: string; videos: VideoStub },
): Promise<VersionFacts> {
  const operator = asOperator(address);
  await operator('PUT', '/groups/gold', { multiplier: '0.8' });
  const price = { unit: 'tokens', input: '2.5', output: '10', cached_input: '1.25' };
  await operator('PUT', `/models/${CHAT_MODEL}`, { price });
  await operator('PUT', `/models/${VIDEO_MODEL}`, {
    price: { unit: 'video_tokens', generate: '7', video_input: '4.3' },
  });
  const chatChannel = await operator('POST', '/channels', {
    name: 'chat',
    provider: 'openai',
    base_url: chat,
    keys: ['sk-upstream-1', 'sk-upstream-2'],
    models: { [CHAT_MODEL]: 'sandbox-chat' },
    headers: { 'x-team': 'a header of the upstream' },
  });
  const videoChannel = await operator('POST', '/channels', {
    name: 'videos',
    provider: 'beta-video',
    base_url: videos.baseUrl,
    keys: ['k'],
    models: { [VIDEO_MODEL]: 'm' },
  });
  const [acme, golden] = [
    await operator('POST', '/accounts', { name: 'Acme' }),
    await operator('POST', '/accounts', { name: 'Golden', group: 'gold' }),
  ];
  for (const { id } of [acme, golden])
    await operator('POST', `/accounts/${id}/credits`, { amount: '50', note: 'first' });
  await operator('POST', `/accounts/${acme.id}/credits`, { amount: '-1.5', note: 'taken back' });
  const makeToken = (fields: object): Promise<Json> => operator('POST', '/tokens', fields);
  const tokens = [
    { ...(await makeToken({ account_id: acme.id, name: 'app' })), status: 200 },
    { ...(await makeToken({ account_id: golden.id, name: 'gold', quota: '20', rate: { rpm: 1000 } })), status: 200 },
    { ...(await makeToken({ account_id: acme.id, name: 'others', models: ['gpt-*'] })), status: 403 },
    { ...(await makeToken({ account_id: acme.id, name: 'off' })), status: 401 },
  ];
  await operator('PATCH', `/tokens/${tokens[3]?.id}`, { status: 'disabled' });
  const [app = '', gold = ''] = tokens.map(({ key }) => key);
  await waitUntil(
    async () => (await asClient(address, gold)(`/models/${VIDEO_MODEL}`)).ok,
    'the models are not offered',
  );
  const requests = await makeCalls(address, [app, gold]);
  const tasks = await makeTasks(asClient(address, gold), videos);
  for (const token of tokens) {
    const response = await asClient(address, token.key)('/chat/completions', chatBody('Hello!'));
    assert.equal(response.status, token.status, await response.text());
  }
  await pause(500); // so that the last line of the log is written
  const ledger = await operator('GET', '/ledger?limit=200');
  const accounts = (await operator('GET', '/accounts?limit=200'))['data'] as Json[];
  const charges = ((await operator('GET', '/requests?limit=200'))['data'] as Json[]).map(({ id, charge }) => ({
    id,
    charge: String(charge),
  }));
  return {
    channels: { chat: chatChannel.id, videos: videoChannel.id },
    accounts: accounts.map(({ id, name, balance }) => ({ id, name: String(name), balance })),
    tokens: tokens.map(({ id, key, status }) => ({ id, key, status })),
    ledgerEntries: (ledger['data'] as object[]).length,
    requests: charges.filter(({ id }) => requests.includes(id)),
    tasks,
    upstreamTask: [...videos.tasks.keys()].at(-1) ?? '',
  };
}

/** Whole, streamed, and one that the upstream fails: their ids. */
async function makeCalls(address: string, keys: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const key of keys)
    for (const body of [
      chatBody('Hello!'),
      chatBody('Hello, once more!', { stream: true }),
      chatBody('[[status 400]]'),
    ]) {
      const response = await asClient(address, key)('/chat/completions', body);
      await response.text();
      ids.push(response.headers.get('x-request-id') ?? '');
    }
  return ids;
}

async function makeTasks(client: ReturnType<typeof asClient>, videos: VideoStub): Promise<VersionFacts['tasks']> {
  const make = async (script: VideoStub['script'], end: string): Promise<string> => {
    videos.script = script;
    const response = await client('/videos', { model: VIDEO_MODEL, prompt: 'A boat.' });
    const text = await response.text();
    assert.equal(response.status, 200, text);
    const { id } = JSON.parse(text) as { id: string };
    const status = async (): Promise<string> =>
      ((await (await client(`/videos/${id}`)).json()) as { status: string }).status;
    await waitUntil(async () => (await status()) === end, `the task does not become ${end}`, 60_000);
    return id;
  };
  return {
    done: await make(['running', 'succeeded'], 'completed'),
    failed: await make(['failed'], 'failed'),
    running: await make(['running'], 'in_progress'),
  };
}
