// One request, sent again with its idempotency key (contract 5, promise M-17): one upstream call, one charge, one answer.
import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { chat, postChat, readAnswer, readError, readStream } from './support/chat.ts';
import { type Field, fileOf, picture } from './support/media.ts';
import { balanceOf, ledgerOf, requestsOf } from './support/money.ts';
import { NO_DATABASE_SERVER, OPERATOR_KEY, startTestGateway, type TestGateway } from './support/gateway.ts';
import { startStub } from './support/stub.ts';
import { waitUntil } from './support/wait.ts';
import { makeToken, makeWorld, suiteGateway, uniqueName, type World, type WorldOptions } from './support/world.ts';

const TIMES = 20;
const keyed = (key: string) => ({ headers: { 'idempotency-key': key } });

async function settlesOf({ gateway, account }: World): Promise<number> {
  const entries = await ledgerOf(gateway, { account_id: account.id });
  return entries.filter(({ kind }) => kind === 'settle').length;
}

/** One is the first, all others are replays of it; upstream and ledger saw one. */
async function assertOnce(world: World, calls: () => number, send: () => Promise<Response>): Promise<string> {
  const responses = await Promise.all(Array.from({ length: TIMES }, send));
  const bodies = await Promise.all(responses.map((response) => response.text()));
  assert.deepEqual(
    responses.map(({ status }) => status),
    responses.map(() => 200),
    bodies.find((_, index) => responses[index]?.status !== 200),
  );
  assert.equal(new Set(bodies).size, 1, 'the answers differ');
  assert.equal(new Set(responses.map(({ headers }) => headers.get('content-type'))).size, 1);
  const replays = responses.filter(({ headers }) => headers.get('idempotent-replayed') === 'true');
  assert.equal(replays.length, TIMES - 1);
  const first = responses.find((response) => !replays.includes(response))?.headers.get('x-request-id');
  for (const { headers } of replays) assert.equal(headers.get('x-tollgate-first-request-id'), first);
  assert.equal(calls(), 1, 'the upstream was called more than once');
  assert.equal(await settlesOf(world), 1);
  const balance = await balanceOf(world.gateway, world.account.id);
  const later = await send();
  assert.equal(await later.text(), bodies[0]);
  assert.equal(await balanceOf(world.gateway, world.account.id), balance);
  return bodies[0] ?? '';
}

function formOf(world: World, file: Buffer<ArrayBuffer>, prompt = 'a hat'): FormData {
  const form = new FormData();
  const fields: Field[] = [
    ['model', world.model],
    ['prompt', prompt],
    ['image', fileOf(file, 'a.png', 'image/png')],
  ];
  for (const [name, value] of fields) form.append(name, value);
  return form;
}

const postEdit = ({ gateway, key }: World, form: FormData, idempotencyKey: string): Promise<Response> =>
  fetch(`${gateway.address}/v1/images/edits`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, ...keyed(idempotencyKey).headers },
    body: form,
  });

/** What came of an answer that must not end well. */
async function bytesBeforeBreak({ body }: Response): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  await assert.rejects(async () => {
    for await (const piece of body ?? []) pieces.push(piece);
  });
  return Buffer.concat(pieces);
}

describe('a request with an idempotency key', { concurrency: 4 }, async () => {
  const gateway = await suiteGateway();
  const slow = [{ behave: 'slow-300' }];

  test('chat: twenty at once are one call and one charge', async (t) => {
    const world = await makeWorld(gateway, t, { channels: slow });
    const answer = await assertOnce(
      world,
      () => world.calls().length,
      () => chat(world, 'once', {}, keyed('k1')),
    );
    assert.match(answer, /chat\.completion/);
  });

  test('a large request that took the last of the balance is answered again all the same (contract 5)', async (t) => {
    const world = await makeWorld(gateway, t, {
      credit: '0.25',
      model: { price: { unit: 'request', amount: '0.25' } },
    });
    const send = () => chat(world, 'x'.repeat(2 * 1024 * 1024), {}, keyed('k1'));
    const first = await send();
    const answer = await first.text();
    assert.equal(first.status, 200, answer);
    const again = await send();
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
    assert.equal(await again.text(), answer);
  });

  test('stream: the events are replayed as they were stored', async (t) => {
    const world = await makeWorld(gateway, t, { channels: slow });
    const send = () => chat(world, 'once [[long 30]]', { stream: true }, keyed('k1'));
    const raw = await assertOnce(world, () => world.calls().length, send);
    assert.match(raw, /data: \[DONE\]\n\n$/);
    const { done, text } = await readStream(await send());
    assert.ok(done && text !== '');
  });

  test('image: also answers larger than a piece of the store', async (t) => {
    const price = { unit: 'image', amount: '0.04' } as const;
    const world = await makeWorld(gateway, t, { channels: slow, model: { price } });
    const body = { model: world.model, prompt: 'x', n: 4, size: '1024x1024', response_format: 'b64_json' };
    const send = () => postChat(world, JSON.stringify(body), { path: '/v1/images/generations', ...keyed('k1') });
    await assertOnce(world, () => world.calls().length, send);
  });

  test('multipart: the parts count, not the boundary', async (t) => {
    const price = { unit: 'image', amount: '0.04' } as const;
    const world = await makeWorld(gateway, t, { channels: slow, model: { price } });
    const file = picture(300_000);
    const seen = gateway.upstream.records.length;
    const calls = () =>
      gateway.upstream.records.slice(seen).filter(({ path }) => path.endsWith('/images/edits')).length;
    await assertOnce(world, calls, () => postEdit(world, formOf(world, file), 'k1'));
    await readError(await postEdit(world, formOf(world, file, 'a coat'), 'k1'), 422, 'idempotency_mismatch');
  });

  test('another body or path with the key is refused, and another account may use it (contract 4)', async (t) => {
    const world = await makeWorld(gateway, t);
    await readAnswer(await chat(world, 'one', {}, keyed('shared')));
    const { message } = await readError(await chat(world, 'two', {}, keyed('shared')), 422, 'idempotency_mismatch');
    assert.match(message, /new key/);
    const elsewhere = await postChat(world, JSON.stringify({ model: world.model, prompt: 'one' }), {
      path: '/v1/completions',
      ...keyed('shared'),
    });
    await readError(elsewhere, 422, 'idempotency_mismatch');
    const sibling = await makeToken(gateway, { account_id: world.account.id });
    const again = await chat({ ...world, key: sibling.key }, 'one', {}, keyed('shared'));
    assert.equal(again.headers.get('idempotent-replayed'), 'true', 'keys belong to the account');
    const stranger = await makeWorld(gateway, t);
    await readAnswer(await chat(stranger, 'two', {}, keyed('shared')));
  });

  test('must have 1 to 255 characters', async (t) => {
    const world = await makeWorld(gateway, t);
    for (const key of ['', 'x'.repeat(256)]) {
      const { param } = await readError(await chat(world, 'hi', {}, keyed(key)), 400, 'invalid_request');
      assert.equal(param, 'Idempotency-Key');
    }
    await readAnswer(await chat(world, 'hi', {}, keyed('x'.repeat(255))));
  });

  test('that failed before an upstream took it runs again', async (t) => {
    const world = await makeWorld(gateway, t, { channels: [{ behave: 'fail-500' }], token: { quota: '0.000000001' } });
    await readError(await chat(world, 'hi', {}, keyed('k')), 402, 'insufficient_quota');
    await gateway.operator('PATCH', `/tokens/${world.token.id}`, { quota: null });
    await readError(await chat(world, 'hi', {}, keyed('k')), 502, 'upstream_error');
    const [channel] = world.channels;
    await gateway.operator('PATCH', `/channels/${channel?.id}`, { base_url: gateway.upstream.baseUrl('openai') });
    await readAnswer(await chat(world, 'hi', {}, keyed('k')));
    const replay = await chat(world, 'hi', {}, keyed('k'));
    assert.equal(replay.headers.get('idempotent-replayed'), 'true');
  });

  const made = Buffer.alloc(8_001, 7);

  async function brokenSpeech(
    t: TestContext,
    model: NonNullable<WorldOptions['model']>,
    form: { stream_format?: string } = {},
  ) {
    const upstream = { calls: 0 };
    const head =
      form.stream_format === undefined
        ? { 'content-type': 'audio/mpeg', 'content-length': 20_000 }
        : { 'content-type': 'text/event-stream' };
    const event = `data: ${JSON.stringify({ type: 'speech.audio.delta', audio: made.toString('base64') })}\n\n`;
    const base_url = await startStub(t, (_, response) => {
      upstream.calls++;
      response.writeHead(200, head);
      response.write(form.stream_format === undefined ? made : event);
      setTimeout(() => response.destroy(), 200); // others wait for it meanwhile
    });
    const world = await makeWorld(gateway, t, { model, channels: [{ base_url }] });
    const text = JSON.stringify({ model: world.model, input: 'Hello', voice: 'alloy', ...form });
    return { world, upstream, send: () => postChat(world, text, { path: '/v1/audio/speech', ...keyed('k') }) };
  }

  test('that broke off as bytes and was charged breaks off again, and is not charged again', async (t) => {
    const { world, upstream, send } = await brokenSpeech(t, { price: { unit: 'tokens', input: '1', output: '2' } });
    await assert.rejects((await send()).arrayBuffer());
    const balance = await balanceOf(gateway, world.account.id);
    const replay = await send();
    const { headers, status } = replay;
    assert.deepEqual(
      [status, headers.get('content-type'), headers.get('idempotent-replayed')],
      [200, 'audio/mpeg', 'true'],
    );
    assert.deepEqual(await bytesBeforeBreak(replay), made);
    assert.deepEqual([upstream.calls, await settlesOf(world)], [1, 1]);
    assert.equal(await balanceOf(gateway, world.account.id), balance);
  });

  test('that broke off and cost nothing runs again, also for those that wait for it', async (t) => {
    const price = { unit: 'characters', amount: '15' } as const;
    for (const form of [{}, { stream_format: 'sse' }]) {
      const { world, upstream, send } = await brokenSpeech(t, { price }, form);
      const answers = await Promise.all(Array.from({ length: 5 }, send));
      const bodies = await Promise.allSettled(answers.map((answer) => answer.text()));
      for (const body of bodies)
        assert.match(body.status === 'rejected' ? 'broken' : body.value, /broken|event: error/);
      const replays = answers.filter(({ headers }) => headers.has('idempotent-replayed'));
      assert.deepEqual([replays.length, upstream.calls, await settlesOf(world)], [0, 5, 0]);
    }
  });

  test('is finished when its client leaves, and there for it when it comes back', async (t) => {
    const world = await makeWorld(gateway, t, { channels: slow });
    const gone = new AbortController();
    const left = chat(world, 'hi', {}, { ...keyed('k'), signal: gone.signal });
    await waitUntil(() => world.calls().length === 1, 'the call does not arrive');
    gone.abort();
    await left.catch(() => {});
    const again = await chat(world, 'hi', {}, keyed('k'));
    await readAnswer(again);
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
    assert.equal(world.calls().length, 1);
    assert.equal((await requestsOf(gateway, { account_id: world.account.id })).length, 1);
  });

  test('a forged request id changes nothing: every call without a key is charged (promise M-17)', async (t) => {
    const world = await makeWorld(gateway, t);
    const forged = { headers: { 'x-request-id': 'req_000000000000000000000000' } };
    for (let i = 0; i < 3; i++) await readAnswer(await chat(world, 'hi', {}, forged));
    assert.equal(await settlesOf(world), 3);
  });
});

describe('a credit with an idempotency key', async () => {
  const gateway = await suiteGateway();

  const post = async (path: string, body: unknown, key: string): Promise<Response> =>
    fetch(`${gateway.address}/operator/v1${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${OPERATOR_KEY}`,
        'content-type': 'application/json',
        ...keyed(key).headers,
      },
      body: JSON.stringify(body),
    });

  test('is given once, however often it is asked for (promise M-18)', async (t) => {
    const { account } = await makeWorld(gateway, t, { credit: '1' });
    const credit = { amount: '5', note: 'invoice 7' };
    const responses = await Promise.all(
      Array.from({ length: TIMES }, () => post(`/accounts/${account.id}/credits`, credit, 'invoice-7')),
    );
    const bodies = await Promise.all(responses.map((response) => response.text()));
    assert.deepEqual([...new Set(responses.map(({ status }) => status))], [201], bodies[0]);
    assert.equal(new Set(bodies).size, 1);
    assert.equal(responses.filter(({ headers }) => headers.get('idempotent-replayed') === 'true').length, TIMES - 1);
    assert.equal(await balanceOf(gateway, account.id), '6');
    await readError(
      await post(`/accounts/${account.id}/credits`, { amount: '6' }, 'invoice-7'),
      422,
      'idempotency_mismatch',
    );
    const audit = await gateway.operator<{ data: { action: string }[] }>('GET', '/audit?limit=200');
    assert.equal(audit.data.filter(({ action }) => action === 'account.credit').length, 2);
  });

  test('a refused one may be corrected under the same key', async (t) => {
    const { account } = await makeWorld(gateway, t, { credit: '1' });
    const key = uniqueName('key');
    assert.equal((await post(`/accounts/${account.id}/credits`, { amount: '-9' }, key)).status, 400);
    assert.equal((await post(`/accounts/${account.id}/credits`, { amount: '-1' }, key)).status, 201);
  });

  test('a made token is shown again, and stands nowhere in the clear (promise A-01)', async (t) => {
    const { account } = await makeWorld(gateway, t);
    const key = uniqueName('key');
    const made = (await (await post('/tokens', { account_id: account.id, name: 'x' }, key)).json()) as { key: string };
    const again = await (await post('/tokens', { account_id: account.id, name: 'x' }, key)).json();
    assert.deepEqual(again, made);
    const { readFileSync } = await import('node:fs');
    for (const file of ['tollgate.db', 'tollgate.db-wal'])
      assert.equal(readFileSync(`${gateway.dataFolder}/${file}`).includes(made.key), false, file);
  });
});

describe('on two gateways with one database', { skip: NO_DATABASE_SERVER }, () => {
  test('twenty at once are one call; the answer outlives a restart of both', async (t) => {
    const first = await startTestGateway({ postgres: true });
    const databaseUrl = first.databaseUrl ?? '';
    let others: TestGateway[] = [];
    t.after(async () => {
      for (const gateway of others) await gateway.stop();
      await first.upstream.stop();
    });
    others = [await startTestGateway({ databaseUrl, upstream: first.upstream })];
    const fake = { after: () => {} } as unknown as typeof t;
    const world = await makeWorld(first, fake, { channels: [{ behave: 'slow-300' }] });
    const gateways = [first, ...others];
    await waitUntil(async () => {
      const known = await Promise.all(gateways.map(({ address }) => chat(world, 'ready?', {}, { address })));
      return known.every(({ status }) => status === 200);
    }, 'the second does not know the token');
    const before = world.calls().length;
    let round = 0;
    const send = () => chat(world, 'once', {}, { ...keyed('k'), address: gateways[round++ % 2]?.address ?? '' });
    const texts = await Promise.all(Array.from({ length: TIMES }, async () => (await send()).text()));
    assert.equal(new Set(texts).size, 1);
    assert.equal(world.calls().length - before, 1);
    await others[0]?.stop();
    await first.running.stop(2_000);
    others = [await startTestGateway({ databaseUrl, upstream: first.upstream })];
    const replay = await chat(world, 'once', {}, { ...keyed('k'), address: others[0]?.address ?? '' });
    assert.equal(await replay.text(), texts[0]);
    assert.equal(replay.headers.get('idempotent-replayed'), 'true');
  });
});
