// A provider whose connection breaks at any byte (FT-13), that answers garbage (FT-14), or that points elsewhere (FT-15).
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { BOTH, type Fault } from '../command/fault.ts';
import type { JournalEntry } from '../chat-client.ts';
import { residentBytes } from '../rig/records/process-facts.ts';
import type { CallOptions, Rig } from '../rig/rig.ts';
import { drained, StubProvider, type StubRecord } from '../rig/providers/stub-provider.ts';

/** Good calls between the bad ones, so that the breaker leaves the channel open. */
async function callWell(rig: Rig, times = 2): Promise<void> {
  for (let call = 0; call < times; call++) assert.equal((await rig.call()).status, 200);
}

/** Answered with an error, or broken off with one: never as if it were whole. */
function checkNotWhole(entry: JournalEntry, what: string): void {
  const { status, complete, code, failure } = entry;
  assert.ok(status !== undefined, `${what}: no answer at all (${failure})`);
  if (status === 200) assert.ok(!complete && code !== undefined, `${what}: a false clean end`);
  else assert.ok(status === 502 || status === 504, `${what}: answered ${status}`);
}

export const brokenConnection: Fault = {
  id: 'FT-13',
  title: 'the provider half-closes or resets at byte k, k swept',
  stores: BOTH,
  rounds: 60,
  fullRounds: 400,
  async run(bench) {
    const rig = await bench.startRig({ gateways: 1 });
    const outcomes = { reset: 0, end: 0 };
    let [whole, errors] = [0, 0];
    for (let round = 0; round < bench.rounds; round++) {
      await callWell(rig);
      const stream = round % 4 !== 0;
      const [how, after] = [
        round % 2 === 0 ? 'reset' : 'end',
        1 + Math.floor((round / bench.rounds) * (stream ? 2_400 : 600)),
      ] as const;
      const cutsBefore = rig.stubProxy.cuts;
      rig.stubProxy.closeAll(); // a fresh connection, whose bytes are those of this answer
      rig.stubProxy.arm({ after, direction: 'down', how });
      const entry = await rig.call({ stream, pieces: 8 });
      rig.stubProxy.heal();
      if (rig.stubProxy.cuts === cutsBefore || (entry.status === 200 && entry.complete)) {
        // The answer was shorter, or nothing but its last bytes was missing.
        assert.ok(entry.complete && entry.usage !== undefined, `byte ${after}: neither cut nor whole`);
        whole++;
        continue;
      }
      checkNotWhole(entry, `${how} at byte ${after}`);
      outcomes[how]++;
      errors++;
    }
    assert.ok(errors > bench.rounds / 3, `only ${errors} of ${bench.rounds} answers were cut`);
    bench.note(
      `${outcomes.reset} resets and ${outcomes.end} half-closes ended in an error; ${whole} came whole before the cut`,
    );
    return rig.reconcile();
  },
};

type Garbage = (response: ServerResponse, record: StubRecord) => void;
const json = { 'content-type': 'application/json' };
const events = { 'content-type': 'text/event-stream' };
const send =
  (headers: Record<string, string | number>, body: string | Buffer): Garbage =>
  (response) =>
    void response.writeHead(200, headers).end(body);
const raw =
  (text: string): Garbage =>
  (response) =>
    void response.socket?.end(text);
const PIECE = 'data: {"choices":[{"index":0,"delta":{"content":"a "},"finish_reason":null}]}\n\n';

/** Name -> what is sent, and whether the request is for a stream. */
const GARBAGE: Record<string, { stream?: boolean; answer: Garbage }> = {
  'HTML with 200': { answer: send({ 'content-type': 'text/html' }, '<h1>Hello</h1>') },
  'HTML for a stream': { stream: true, answer: send({ 'content-type': 'text/html' }, '<h1>Hello</h1>') },
  'truncated JSON': { answer: send(json, '{"id":"x","choices":[{"index":0,"mess') },
  'invalid UTF-8': { answer: send(json, Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31])) },
  'an empty body': { answer: send(json, '') },
  'a length too long': {
    answer: raw('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{"id":1}'),
  },
  'no HTTP at all': { answer: raw('220 mail.example ESMTP\r\n') },
  'bad gzip': { answer: send({ ...json, 'content-encoding': 'gzip' }, 'not gzip') },
  'gzip unasked': { answer: send({ ...json, 'content-encoding': 'gzip' }, gzipSync('{"id":"x"}')) },
  'a stream without its end': { stream: true, answer: send(events, PIECE.repeat(3)) },
  'a stream of no events': { stream: true, answer: send(events, '') },
  'a broken event': { stream: true, answer: send(events, `${PIECE}data: {"choices":[{"ind\n\n`) },
};

export const garbage: Fault = {
  id: 'FT-14',
  title: 'the provider answers garbage of many kinds, and lines of 64 MiB',
  stores: BOTH,
  rounds: 2,
  async run(bench) {
    const rig = await bench.startRig({ gateways: 1 });
    const pid = rig.gateway().child.pid ?? 0;
    await callWell(rig, 20);
    const before = residentBytes(pid);
    for (let round = 0; round < bench.rounds; round++) {
      for (const [name, { stream = false, answer }] of Object.entries(GARBAGE)) {
        await callWell(rig);
        checkNotWhole(await rig.call({ stream, answer }), name);
      }
      await callWell(rig);
      const interim = await rig.call({ answer: interimAnswers });
      assert.ok(interim.status !== undefined, 'no answer after 100 interim ones');
      await callWell(rig);
      checkNotWhole(await rig.call(hugeLine()), 'a line of 64 MiB');
    }
    const grown = (residentBytes(pid) - before) / 2 ** 20;
    assert.ok(grown < 300, `${Math.round(grown)} MiB more after it`);
    assert.equal(rig.gateway().child.exitCode, null, 'the process lives on');
    bench.note(`${Object.keys(GARBAGE).length + 2} kinds; ${Math.round(grown)} MiB more memory after them`);
    return rig.reconcile();
  },
};

const interimAnswers: Garbage = (response) => {
  const body = '{"error":{"message":"tired"}}';
  const last = `HTTP/1.1 500 No\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
  response.socket?.end('HTTP/1.1 102 Processing\r\n\r\n'.repeat(100) + last);
};

function hugeLine(): CallOptions {
  const answer = async (response: ServerResponse): Promise<void> => {
    response.writeHead(200, events);
    response.write(`${PIECE}data: {"choices":[{"index":0,"delta":{"content":"`);
    const chunk = 'x'.repeat(2 ** 20);
    for (let sent = 0; sent < 64 && !response.destroyed; sent++) if (!response.write(chunk)) await drained(response);
    response.end('"},"finish_reason":null}]}\n\n');
  };
  return { stream: true, answer };
}

export const redirects: Fault = {
  id: 'FT-15',
  title: 'the provider redirects to another host, to loopback, to itself',
  stores: BOTH,
  rounds: 3,
  async run(bench) {
    const rig = await bench.startRig({ gateways: 1 });
    const other = await StubProvider.start();
    bench.atEnd(() => other.stop());
    for (let round = 0; round < bench.rounds; round++) {
      for (const status of [301, 302, 303, 307, 308]) {
        for (const location of [
          `${other.baseUrl}/chat/completions`,
          'http://127.0.0.1:1/',
          `${rig.stub.baseUrl}/chat/completions`,
        ]) {
          await callWell(rig);
          const seen = rig.stub.records.length;
          const entry = await rig.call({ stream: status % 2 === 0, status, headers: { location } });
          assert.equal(entry.status, 502, `${status} to ${location} was answered ${entry.status}`);
          assert.equal(rig.stub.records.length, seen + 1, 'the redirect was followed');
        }
      }
    }
    assert.equal(other.records.length, 0, 'another host was asked, with a credential');
    return rig.reconcile();
  },
};
