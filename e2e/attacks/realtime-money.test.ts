// Clients of realtime sessions that send faster than the upstream answers, or that name two things alike: what was served is
// paid for, and no hold is left behind.
import assert from 'node:assert/strict';
import { after, describe, test, type TestContext } from 'node:test';
import type { LoggedRequest } from '#contract/requests.ts';
import { pcm, type RealtimeClient } from '../../server/src/testing/realtime-client.ts';
import { makeCertificate } from '../../server/src/testing/self-signed.ts';
import { startTlsFront } from '../../server/src/testing/tls-front.ts';
import { assertMoneyAddsUp, balanceOf, nano } from '../support/money.ts';
import { openText, REALTIME_PRICE, responsesOf } from '../support/realtime.ts';
import { makeChannel, makeWorld, uniqueName, type World } from '../support/world.ts';
import { attackedGateway } from './attacked-gateway.ts';

const COMPLETED = 'conversation.item.input_audio_transcription.completed';

describe('money of realtime sessions', async () => {
  const gateway = await attackedGateway();
  const front = await startTlsFront(Number(new URL(gateway.address).port), makeCertificate('localhost'));
  after(() => front.close());

  /** A session that answers nothing by itself, and whose audio is written down at a price per second. */
  async function heard(t: TestContext): Promise<{ world: World; writer: string; client: RealtimeClient }> {
    const world = await makeWorld(gateway, t, { model: { price: REALTIME_PRICE }, channels: [] });
    const writer = uniqueName('sandbox-writer');
    await gateway.operator('PUT', `/models/${writer}`, { price: { unit: 'audio_second', amount: '0.001' } });
    await makeChannel(gateway, { [world.model]: `${world.model}.0`, [writer]: 'sandbox-whisper' });
    const client = await openText(t, front, world);
    send(client, { input: { turn_detection: null, transcription: { model: writer } } });
    await client.next('session.updated');
    return { world, writer, client };
  }

  /** As raw text, so that all of it is with the gateway before the upstream has answered. */
  const raw = (client: RealtimeClient, ...events: object[]): void => {
    for (const event of events) client.socket.socket.send(JSON.stringify(event));
  };
  const send = (client: RealtimeClient, audio: object): void =>
    raw(client, { type: 'session.update', session: { type: 'realtime', audio } });
  const append = (ms: number): object => ({ type: 'input_audio_buffer.append', audio: pcm(ms, { loud: true }) });
  const commit = { type: 'input_audio_buffer.commit' };
  const clear = { type: 'input_audio_buffer.clear' };

  async function transcriptsOf(world: World, writer: string, count: number): Promise<LoggedRequest[]> {
    return (await responsesOf(world, count)).filter(({ model }) => model === writer);
  }

  test('audio that is committed and cleared at once is paid for: the clearing came too late (promise M-10)', async (t) => {
    const { world, writer, client } = await heard(t);
    raw(client, append(5_000), commit, clear);
    await client.next(COMPLETED);
    client.close();
    const [line] = await transcriptsOf(world, writer, 1);
    assert.deepEqual([line?.charge, line?.usage_source], ['0.005', 'upstream']);
  });

  test('audio that is cleared before it is committed costs nothing (contract-2 7)', async (t) => {
    const { world, writer, client } = await heard(t);
    raw(client, append(5_000), clear, append(2_000), commit);
    await client.next(COMPLETED);
    client.close();
    const [line, ...more] = await transcriptsOf(world, writer, 1);
    assert.deepEqual([line?.charge, more.length], ['0.002', 0]);
  });

  test('two pieces that are committed at once are both paid for (promise M-04)', async (t) => {
    const { world, writer, client } = await heard(t);
    raw(client, append(3_000), commit, append(4_000), commit);
    await client.next(COMPLETED);
    await client.next(COMPLETED);
    client.close();
    const lines = await transcriptsOf(world, writer, 2);
    assert.deepEqual(
      lines.map(({ charge, usage_source: source }) => [charge, source]),
      [
        ['0.003', 'upstream'],
        ['0.004', 'upstream'],
      ],
    );
  });

  test('a transcript that is switched off behind the commit is paid for: it is written all the same (promise M-10)', async (t) => {
    const { world, writer, client } = await heard(t);
    raw(client, append(3_000), commit, {
      type: 'session.update',
      session: { type: 'realtime', audio: { input: { transcription: null } } },
    });
    await client.next(COMPLETED);
    client.close();
    const [line] = await transcriptsOf(world, writer, 1);
    assert.equal(line?.charge, '0.003');
  });

  /** The first response has the hold of the opening. */
  async function afterFirst(client: RealtimeClient, world: World): Promise<bigint> {
    client.say('hi');
    await client.next('response.done');
    return nano(await balanceOf(gateway, world.account.id));
  }

  test('a response without a limit in a session with one is held and paid for as such (promise M-10)', async (t) => {
    const world = await makeWorld(gateway, t, { model: { price: REALTIME_PRICE } });
    const client = await openText(t, front, world);
    raw(client, { type: 'session.update', session: { type: 'realtime', max_output_tokens: 1 } });
    await client.next('session.updated');
    const before = await afterFirst(client, world);
    client.say('[[pace 20]] [[long 200]]', { max_output_tokens: 'inf' });
    await client.next('response.output_text.delta');
    assert.ok(
      before - nano(await balanceOf(gateway, world.account.id)) >= 4_096n * 16_000n,
      'the whole answer is held',
    );
    await client.next('response.done');
  });

  test('a limit that is lifted just before the response does not bound what it is held for (promise M-02)', async (t) => {
    const world = await makeWorld(gateway, t, { model: { price: REALTIME_PRICE } });
    const client = await openText(t, front, world);
    raw(client, { type: 'session.update', session: { type: 'realtime', max_output_tokens: 1 } });
    await client.next('session.updated');
    const before = await afterFirst(client, world);
    const item = { type: 'message', role: 'user', content: [{ type: 'input_text', text: '[[pace 20]] [[long 200]]' }] };
    raw(
      client,
      { type: 'conversation.item.create', item },
      { type: 'session.update', session: { type: 'realtime', max_output_tokens: 'inf' } },
      { type: 'response.create' },
    );
    await client.next('response.output_text.delta');
    assert.ok(
      before - nano(await balanceOf(gateway, world.account.id)) >= 4_096n * 16_000n,
      'the whole answer is held',
    );
    await client.next('response.done');
  });

  test('responses under one event_id each end their own hold (promise M-03)', async (t) => {
    const world = await makeWorld(gateway, t, { model: { price: REALTIME_PRICE } });
    const client = await openText(t, front, world);
    const ask = { type: 'response.create', event_id: 'mine', response: { conversation: 'none', max_output_tokens: 9 } };
    const asked = Array.from({ length: 10 }, () => ask);
    raw(client, ...asked);
    for (const _ of asked) await client.next('response.done');
    client.close();
    assert.equal((await responsesOf(world, asked.length)).length, asked.length);
    await assertMoneyAddsUp(gateway, world.account.id);
  });
});
