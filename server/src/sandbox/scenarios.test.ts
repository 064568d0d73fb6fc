import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { startSandbox } from './server.ts';
import { call, chatBody, joinContent, openCall, readAnswer, readEvents, waitUntil } from './test-client.ts';

const sandbox = await startSandbox();
after(() => sandbox.stop());

const stream = { stream: true, stream_options: { include_usage: true } };
const streamed = (text: string, directive?: string) =>
  call(sandbox, chatBody(text, stream), directive === undefined ? {} : { directive });
const contentCount = (text: string): number => readEvents(text).filter((one) => one?.choices[0]?.delta.content).length;

test('slow waits before the first byte, pace between chunks', async () => {
  const start = performance.now();
  assert.equal((await call(sandbox, chatBody('[[slow 80]]'))).status, 200);
  assert.ok(performance.now() - start >= 75);
  const paced = performance.now();
  await streamed('[[pace 10]] [[long 6]]');
  assert.ok(performance.now() - paced >= 45);
});

test('fail and rate-limited answer with the status in the protocol’s shape', async () => {
  for (const status of [400, 422, 500, 503]) {
    const got = await call(sandbox, chatBody('hi'), { directive: `fail-${status}` });
    assert.equal(got.status, status);
    const { error } = JSON.parse(got.text) as { error: Record<string, unknown> };
    assert.deepEqual(Object.keys(error), ['message', 'type', 'param', 'code']);
  }
  const limited = await streamed('[[rate-limited 7]]');
  assert.equal(limited.status, 429);
  assert.equal(limited.headers['retry-after'], '7');
  assert.equal((await streamed('[[unauthorised]]')).status, 401);
  assert.equal((await streamed('[[forbidden]]')).status, 403);
});

test('hang never answers, and notices when the client leaves', async () => {
  const hanging = openCall(sandbox, chatBody('hi'), { directive: 'hang' });
  hanging.on('error', () => {});
  await waitUntil(sandbox, (last) => last.directives.includes('hang'));
  hanging.destroy();
  const record = await waitUntil(sandbox, (last) => last.aborted);
  assert.equal(record.status, null);
  assert.equal(record.finished, false);
  assert.ok(record.abortedAt !== null && record.abortedAt >= record.at);
});

test('a client that leaves ends the wait of slow and pace', async () => {
  for (const directive of ['slow-600000', 'pace-600000']) {
    const waiting = openCall(sandbox, chatBody('hi', stream), { directive });
    waiting.on('error', () => {});
    await waitUntil(sandbox, (last) => last.directives.includes(directive));
    setTimeout(() => waiting.destroy(), 30);
    assert.equal((await waitUntil(sandbox, (last) => last.aborted)).finished, false);
  }
  assert.ok(!process.getActiveResourcesInfo().includes('Timeout'));
});

test('reset ends the connection before any header', async () => {
  await assert.rejects(call(sandbox, chatBody('[[reset]]')), { code: 'ECONNRESET' });
  const record = await waitUntil(sandbox, (last) => last.finished);
  assert.equal(record.aborted, false);
});

test('stall sends N content chunks and then nothing', async () => {
  const stalling = openCall(sandbox, chatBody('[[stall 3]]', stream));
  const answer = readAnswer(stalling);
  await waitUntil(sandbox, (last) => last.eventsSent === 4);
  setTimeout(() => stalling.destroy(), 50);
  const got = await answer;
  assert.equal(got.broken, true);
  assert.equal(contentCount(got.text), 3);
  assert.equal((await waitUntil(sandbox, (last) => last.aborted)).eventsSent, 4);
});

test('cut closes the connection after N chunks, or in the middle of a whole answer', async () => {
  const got = await streamed('[[cut 5]]');
  assert.equal(got.broken, true);
  assert.equal(contentCount(got.text), 5);
  const whole = await call(sandbox, chatBody('[[cut]]'));
  assert.equal(whole.broken, true);
  assert.ok(Number(whole.headers['content-length']) > whole.text.length && whole.text.length > 0);
  const bare = await streamed('[[cut 0]]');
  assert.deepEqual([bare.status, bare.text, bare.broken], [200, '', true]);
});

test('end closes the body cleanly without finish reason and without [DONE]', async () => {
  const got = await streamed('', 'end-2');
  const events = readEvents(got.text);
  assert.equal(got.broken, false);
  assert.equal(events.length, 3);
  assert.ok(events.every((event) => event !== null && event.choices[0]?.finish_reason === null));
});

test('no-done leaves out [DONE] only', async () => {
  const events = readEvents((await streamed('[[no-done]]')).text);
  assert.ok(!events.includes(null));
  assert.ok(events.at(-1)?.usage);
});

test('error-event comes before the first event or after N chunks', async () => {
  const first = readEvents((await streamed('[[error-event 0]]')).text);
  assert.deepEqual(
    first.map((event) => event?.error?.type),
    ['server_error'],
  );
  const later = readEvents((await streamed('[[error-event 2]]')).text);
  assert.equal(later.length, 4);
  assert.equal(later.at(-1)?.error?.type, 'server_error');
  const whole = await call(sandbox, chatBody('[[error-event]]'));
  assert.equal(whole.status, 200);
  assert.ok(whole.text.startsWith('{"error":'));
});

test('error-finish ends with finish reason error', async () => {
  const events = readEvents((await streamed('[[error-finish]]')).text);
  assert.ok(events.some((event) => event?.choices[0]?.finish_reason === 'error'));
});

test('usage can be absent, negative, absurd, text or a fraction, whole and streamed', async () => {
  const usageOf = async (directive: string) => {
    const whole = JSON.parse((await call(sandbox, chatBody('hi'), { directive })).text) as { usage?: unknown };
    const events = readEvents((await streamed('hi', directive)).text);
    const last = events.findLast((event) => event?.usage)?.usage ?? undefined;
    assert.deepEqual(last, whole.usage);
    return last?.['total_tokens'];
  };
  assert.equal(await usageOf('no-usage'), undefined);
  assert.ok(Number(await usageOf('usage-negative')) < 0);
  assert.equal(await usageOf('usage-absurd'), 1e18);
  assert.equal(typeof (await usageOf('usage-text')), 'string');
  assert.ok(!Number.isInteger(await usageOf('usage-fraction')));
});

test('cached and reasoning tokens are reported, reasoning as part of the completion', async () => {
  const plain = JSON.parse((await call(sandbox, chatBody('hi'))).text) as { usage: Record<string, number> };
  const text = (await call(sandbox, chatBody('hi'), { directive: 'cached-3,reasoning-20' })).text;
  const { usage } = JSON.parse(text) as { usage: Record<string, number | Record<string, number>> };
  assert.partialDeepStrictEqual(usage, {
    completion_tokens: (plain.usage['completion_tokens'] ?? 0) + 20,
    prompt_tokens_details: { cached_tokens: 3 },
    completion_tokens_details: { reasoning_tokens: 20 },
  });
});

test('garbage, truncated, empty and redirect answer what no client expects', async () => {
  const garbage = await streamed('[[garbage]]');
  assert.deepEqual([garbage.status, garbage.headers['content-type']], [200, 'text/html; charset=utf-8']);
  const truncated = await call(sandbox, chatBody('[[truncated]]'));
  assert.equal(truncated.broken, false);
  assert.throws(() => JSON.parse(truncated.text) as unknown);
  const cutEvent = await streamed('[[truncated 1]]');
  assert.throws(() => readEvents(cutEvent.text));
  for (const got of [await streamed('[[empty]]'), await call(sandbox, chatBody('[[empty]]'))]) {
    assert.deepEqual([got.status, got.text, got.broken], [200, '', false]);
  }
  const redirect = await streamed('[[redirect]]');
  assert.equal(redirect.status, 302);
  assert.equal(redirect.headers.location, `${sandbox.address}/redirected`);
});

test('gzip compresses though nobody asked, whole and streamed', async () => {
  for (const more of [{}, stream]) {
    const got = await call(sandbox, chatBody('[[gzip]] hello', more));
    assert.equal(got.headers['content-encoding'], 'gzip');
    assert.ok(gunzipSync(Buffer.concat(got.chunks)).toString().includes('hello'));
  }
});

test('split and crlf change the bytes, not the events', async () => {
  const plain = joinContent(readEvents((await streamed('[[pace 0]] hi', 'split')).text));
  const got = await streamed('[[split]] [[crlf]] hi');
  assert.ok(got.text.includes('\r\n\r\n'));
  assert.ok(got.chunks.every((chunk) => chunk.length <= 7));
  assert.equal(joinContent(readEvents(got.text)), plain);
  assert.ok(plain.includes('猫'));
});

test('long answers with N tokens, big with one event of N bytes, json ignores stream', async () => {
  const long = readEvents((await streamed('[[long 5000]]')).text);
  assert.equal(long.at(-2)?.usage?.['completion_tokens'], 5000);
  assert.equal(long.length, 5000 + 4);
  const big = readEvents((await streamed('[[big 300000]]')).text);
  assert.equal(big[1]?.choices[0]?.delta.content?.length, 300_000);
  const whole = await streamed('[[json]]');
  assert.equal(whole.headers['content-type'], 'application/json');
  assert.ok(whole.text.includes('"chat.completion"'));
});

test('a client that leaves a long stream stops it; nothing runs ahead of a slow reader', async () => {
  const leaving = openCall(sandbox, chatBody('[[long 1000000]]', stream));
  leaving.on('error', () => {});
  await new Promise<void>((resolve) => leaving.once('response', (response) => response.once('readable', resolve)));
  // Not reading on: the sandbox fills the socket's buffers and then waits.
  let before = -1;
  const seen = (): number => sandbox.records.at(-1)?.eventsSent ?? 0;
  while (seen() !== before) {
    before = seen();
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  assert.ok(before < 1_000_000);
  leaving.destroy();
  const record = await waitUntil(sandbox, (last) => last.aborted);
  assert.equal(record.finished, false);
});

test('once-directives strike once, in path and in prompt, and directives combine', async () => {
  const inPath = { directive: 'once-fail-503' };
  assert.equal((await call(sandbox, chatBody('a'), inPath)).status, 503);
  assert.equal((await call(sandbox, chatBody('a'), inPath)).status, 200);
  assert.equal((await call(sandbox, chatBody('a'), { ...inPath, key: 'other' })).status, 503);
  assert.equal((await streamed('[[once-fail 500]]')).status, 500);
  assert.equal((await streamed('[[once-fail 500]]')).status, 200);
  const joined = await streamed('[[crlf]] [[no-done]] [[cut 2]]', 'no-usage');
  assert.deepEqual([joined.broken, contentCount(joined.text)], [true, 2]);
});

test('an unknown directive in the path is refused with the list of known ones, in a prompt mentioned', async () => {
  const got = await call(sandbox, chatBody('hi'), { directive: 'explode' });
  assert.equal(got.status, 400);
  assert.ok(got.text.includes('explode') && got.text.includes('error-event-N'));
  assert.ok((await call(sandbox, chatBody('[[explode]]'))).text.includes('I know no directive [[explode]]'));
});
