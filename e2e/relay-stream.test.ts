// Streams on their way back: every event as it came, at the reader's pace, with a word now and then when the upstream is
// silent; and what happens when the reader leaves (contract 5).
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { describe, test } from 'node:test';
import { chat, chatBody, readStream, takeApart } from './support/chat.ts';
import { ledgerOf, nano, requestOf, requestsOf } from './support/money.ts';
import { openSocket } from './support/socket.ts';
import { pause, waitUntil } from './support/wait.ts';
import { makeWorld, suiteGateway, type World } from './support/world.ts';

/** The words of the events; ids and times differ from call to call. */
function comparable(raw: string): string[] {
  return raw
    .split(/\r?\n\r?\n/)
    .filter((block) => block !== '')
    .map((block) => block.replace(/"id":"[^"]*"/g, '"id":""').replace(/"created":\d+/g, '"created":0'));
}

/** A client that reads only when asked to. A busy process may refuse it (503 with Retry-After): it asks again, as SDKs do. */
async function open(world: World, content: string): Promise<IncomingMessage> {
  for (;;) {
    const asked = request(`${world.gateway.address}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${world.key}`, 'content-type': 'application/json' },
    });
    asked.end(JSON.stringify(chatBody(world.model, content, { stream: true })));
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    const retryAfter = response.headers['retry-after'];
    if (response.statusCode !== 503 || retryAfter === undefined) {
      assert.equal(response.statusCode, 200);
      return response;
    }
    response.resume();
    await pause(Number(retryAfter) * 1000);
  }
}

describe('a stream', { concurrency: 12 }, async () => {
  const gateway = await suiteGateway();

  for (const directives of ['', '[[split]]', '[[crlf]]', '[[split]] [[crlf]]', '[[no-done]]']) {
    test(`has the events of the upstream, each as it was sent ${directives}`, async (t) => {
      const world = await makeWorld(gateway, t);
      const options = { stream: true, stream_options: { include_usage: true } };
      const relayed = await readStream(await chat(world, `Käse 🧀 ${directives}`, options));
      const direct = await fetch(`${gateway.upstream.baseUrl('openai')}/chat/completions`, {
        method: 'POST',
        headers: { authorization: 'Bearer sandbox', 'content-type': 'application/json' },
        body: JSON.stringify(chatBody(`${world.model}.0`, `Käse 🧀 ${directives}`, options)),
      });
      const expected = comparable(await direct.text());
      if (directives === '[[no-done]]') expected.push('data: [DONE]'); // the gateway ends a complete stream properly
      assert.deepEqual(comparable(relayed.raw), expected);
      assert.ok(relayed.done && relayed.usage !== undefined);
    });
  }

  test('passes a single event of 16 MiB, whole or in small pieces', async (t) => {
    const world = await makeWorld(gateway, t);
    const { text, done } = await readStream(await chat(world, `[[big ${16 * 1024 * 1024}]]`, { stream: true }));
    assert.equal(text.length, 16 * 1024 * 1024);
    const split = await readStream(await chat(world, '[[big 100000]] [[split]]', { stream: true }));
    assert.equal(split.text.length, 100_000);
    assert.ok(done && split.done);
  });

  test('is passed on as it comes, not gathered', async (t) => {
    const world = await makeWorld(gateway, t);
    const response = await open(world, 'now [[stall 3]]');
    let raw = '';
    response.on('data', (chunk: Buffer) => (raw += chunk.toString())).on('error', () => {});
    // One with the role and three with text, although the upstream has not ended and never will.
    await waitUntil(() => raw.match(/^data:/gm)?.length === 4, 'the first events wait for the last');
    assert.equal(world.calls()[0]?.finished, false);
    response.destroy();
  });

  test('waits for a reader that is slow, so that nothing piles up', async (t) => {
    const world = await makeWorld(gateway, t, { credit: '1000' });
    const response = await open(world, '[[long 100000]]');
    response.pause();
    const sent = (): number => world.calls()[0]?.bytesSent ?? 0;
    await waitUntil(() => sent() > 100_000, 'nothing was sent');
    let after = 0;
    for (let before = -1; before !== after; await pause(400)) [before, after] = [after, sent()];
    assert.ok(after < 16 * 1024 * 1024, `the upstream could send ${after} bytes`);
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk)).resume();
    await once(response, 'end');
    assert.ok(Buffer.concat(chunks).subarray(-14).toString().endsWith('data: [DONE]\n\n'));
    const [logged] = await requestsOf(gateway, { account_id: world.account.id });
    assert.equal(logged?.usage?.['output_tokens'], 100_000);
  });

  test('says a comment within 15 s of silence, before or after the first event (promise S-07)', async (t) => {
    const silent = await makeWorld(gateway, t, { channels: [{ behave: 'slow-16500' }] });
    const failing = await makeWorld(gateway, t, { channels: [{ behave: 'slow-16500,fail-500' }] });
    const stalled = await makeWorld(gateway, t, { channels: [{ behave: 'stall-2', options: { idle_ms: 17_000 } }] });
    const [late, failed, broken] = await Promise.all(
      [silent, failing, stalled].map(async (world) => readStream(await chat(world, 'patience', { stream: true }))),
    );
    assert.ok(late !== undefined && failed !== undefined && broken !== undefined);
    for (const { comments } of [late, failed, broken]) assert.equal(comments.length, 1);
    assert.match(late.text, /^You said: patience/);
    assert.ok(late.done && late.error === undefined);
    assert.equal(failed.error?.code, 'upstream_error');
    assert.equal(broken.error?.code, 'upstream_timeout');
    assert.ok(!failed.done && !broken.done);
    const [costless] = await requestsOf(gateway, { account_id: failing.account.id });
    assert.equal(nano(costless?.charge ?? '1'), 0n);
  });

  test('whose reader leaves is ended at the upstream and costs what was produced', async (t) => {
    const world = await makeWorld(gateway, t);
    const response = await open(world, 'leaving [[pace 40]] [[long 500]]');
    let raw = '';
    response.on('data', (chunk: Buffer) => {
      raw += chunk.toString();
    });
    await waitUntil(() => (raw.match(/^data:/gm)?.length ?? 0) > 6, 'no events came');
    response.destroy();
    const [call] = world.calls();
    await waitUntil(() => call?.aborted === true, 'the upstream was not cancelled');
    assert.equal(call?.finished, false);
    await waitUntil(
      async () => (await requestsOf(gateway, { account_id: world.account.id })).length === 1,
      'it was not logged',
    );
    const [logged] = await requestsOf(gateway, { account_id: world.account.id });
    assert.deepEqual([logged?.status, logged?.error_code, logged?.usage_source], [499, 'client_gone', 'counted']);
    const produced = (call?.eventsSent ?? 0) - 1; // the first has only the role
    const output = Number(logged?.usage?.['output_tokens']);
    assert.ok(Math.abs(output - produced) <= 2, `${output} charged, ${produced} produced`);
    assert.ok(nano(logged?.charge ?? '0') > 0n);
  });

  test('whose reader leaves before the first event costs its prompt and ends at the upstream (promise M-07)', async (t) => {
    for (const stream of [true, false]) {
      const world = await makeWorld(gateway, t, { channels: [{ behave: 'slow-20000' }] });
      const leaving = new AbortController();
      const asked = chat(world, 'never mind', { stream }, { signal: leaving.signal });
      await waitUntil(() => world.calls().length === 1, 'the upstream was not asked');
      leaving.abort();
      await assert.rejects(asked);
      await waitUntil(() => world.calls()[0]?.aborted === true, 'the upstream was not cancelled');
      await waitUntil(
        async () => (await requestsOf(gateway, { account_id: world.account.id })).length === 1,
        'it was not logged',
      );
      const [logged] = await requestsOf(gateway, { account_id: world.account.id });
      assert.deepEqual([logged?.status, logged?.usage_source, logged?.usage?.['output_tokens']], [499, 'estimated', 0]);
      assert.ok(Number(logged?.usage?.['input_tokens']) > 0 && nano(logged?.charge ?? '0') > 0n);
    }
  });

  test('whose reader leaves at any moment leaves no hold open', async (t) => {
    const world = await makeWorld(gateway, t);
    for (const stream of [true, false]) {
      const body = JSON.stringify(chatBody(world.model, 'gone [[long 30]]', { stream }));
      const head =
        `POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n` +
        `Authorization: Bearer ${world.key}\r\nContent-Length: ${body.length}\r\n\r\n`;
      for (let after = 0; after < 24; after++) {
        const socket = openSocket(gateway.address);
        await once(socket, 'connect');
        socket.write(head + body);
        await pause(after / 2);
        socket.destroy();
      }
    }
    await waitUntil(async () => {
      const entries = await ledgerOf(gateway, { account_id: world.account.id });
      const open = new Set(entries.filter(({ kind }) => kind === 'hold').map(({ request_id }) => request_id));
      for (const { kind, request_id } of entries) if (kind !== 'hold') open.delete(request_id);
      return entries.length > 1 && open.size === 0;
    }, 'a hold stays open');
  });

  test('a departure blames no channel: the next request is served by it', async (t) => {
    const world = await makeWorld(gateway, t);
    for (let count = 0; count < 6; count++) {
      const response = await open(world, 'leaving [[pace 100]]');
      response.destroy();
    }
    await waitUntil(() => world.calls().filter(({ aborted }) => aborted).length === 6, 'not all ended');
    const response = await chat(world, 'still there?', { stream: true });
    assert.ok((await readStream(response)).done);
    assert.equal((await requestOf(gateway, response)).attempts.length, 1);
  });

  test('with several choices shows all of them', async (t) => {
    const world = await makeWorld(gateway, t);
    const options = { stream: true, n: 3, stream_options: { include_usage: true } };
    const response = await chat(world, 'three times', options);
    const { raw, usage } = await readStream(response);
    const indexes = new Set([...raw.matchAll(/"index":(\d)/g)].map(([, index]) => index));
    assert.deepEqual(indexes, new Set(['0', '1', '2']));
    assert.equal((await requestOf(gateway, response)).usage?.['output_tokens'], usage?.completion_tokens);
    assert.equal(takeApart(raw).done, true);
  });
});
