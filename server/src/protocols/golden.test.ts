// What each text protocol becomes in each other one, as a whole: the files in __golden__ are what was looked at and found
// right. `node scripts/update-goldens.mjs` rewrites them; the change is then to be read like any other.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { anthropicMessagesClient, anthropicMessagesUpstream, readMessages } from './anthropic-messages/index.ts';
import { bedrockConverseUpstream } from './bedrock-converse/index.ts';
import { cohereChatClient, readCohereChat } from './cohere-chat/index.ts';
import { geminiClient, geminiUpstream, readGenerateContent } from './gemini-generate-content/index.ts';
import { openaiChatClient, openaiChatUpstream, readChat } from './openai-chat/index.ts';
import { openaiResponsesClient, openaiResponsesUpstream, readResponse } from './openai-responses/index.ts';
import { checkAnswer, checkEvents } from '../testing/vendor-schemas/check-answer.ts';
import type { PublishedName } from '../testing/vendor-schemas/published-types.ts';
import type { RelayRequest } from './protocol.ts';
import { eventName, eventsOf } from './stream/sse.ts';
import type { ClientSide, UpstreamSide } from './text-protocol.ts';
import { translateRequest } from './translation/translate.ts';

interface Asked {
  upstream: UpstreamSide;
}

interface Speaker {
  client: ClientSide;
  /** What its vendor has published of a whole answer and of an event. */
  published: { answer: PublishedName; event: PublishedName };
  read(body: Buffer): RelayRequest;
}

interface Spoken extends Asked, Speaker {}

const spoken: readonly Spoken[] = [
  {
    client: openaiChatClient,
    upstream: openaiChatUpstream,
    read: readChat,
    published: { answer: 'ChatCompletion', event: 'ChatCompletionChunk' },
  },
  {
    client: openaiResponsesClient,
    upstream: openaiResponsesUpstream,
    read: readResponse,
    published: { answer: 'Response', event: 'ResponseStreamEvent' },
  },
  {
    client: anthropicMessagesClient,
    upstream: anthropicMessagesUpstream,
    read: readMessages,
    published: { answer: 'Message', event: 'RawMessageStreamEvent' },
  },
  {
    client: geminiClient,
    upstream: geminiUpstream,
    read: (body) => readGenerateContent(body, { model: 'some-model', stream: true, framing: 'events' }),
    published: { answer: 'GenerateContentResponse', event: 'GenerateContentEvent' },
  },
];
/** Protocols that no client speaks: requests are written in them, and their answers are read. */
const asked: readonly Asked[] = [{ upstream: bedrockConverseUpstream }];
/** Protocols that no upstream is asked in on behalf of others. */
const heard: readonly Speaker[] = [
  {
    client: cohereChatClient,
    read: readCohereChat,
    published: { answer: 'V2ChatResponse', event: 'V2ChatStreamResponse' },
  },
];
type Side = Spoken | Asked | Speaker;
const pairs: { from: Side; to: Side }[] = [
  ...spoken.flatMap((from) => spoken.filter((to) => to !== from).map((to) => ({ from, to }))),
  ...asked.flatMap((one) =>
    spoken.flatMap((other) => [
      { from: one, to: other },
      { from: other, to: one },
    ]),
  ),
  ...heard.flatMap((one) =>
    [...spoken, ...asked].flatMap((other) => [
      { from: one, to: other },
      { from: other, to: one },
    ]),
  ),
];
const nameOf = (side: Side): string => ('client' in side ? side.client.name : side.upstream.name);

const folder = new URL('__golden__/', import.meta.url);
const isUpdate = process.env['UPDATE_GOLDENS'] === '1';
const sample = (name: string, kind: string): Buffer => readFileSync(new URL(`samples/${name}.${kind}`, folder));

/** A request of the client's protocol, as it is put to the upstream. */
function translated(client: Speaker, { upstream }: Asked): RelayRequest {
  const request = client.read(sample(client.client.name, 'request.json'));
  const translation = { from: client.client, to: upstream, id: 'Id1', created: 1_700_000_000 };
  const result = translateRequest(request, { ...translation, strict: false, defaultMaxOutput: 8192 });
  assert.ok(result !== undefined);
  return result;
}

function check(kind: string, name: string, got: unknown): void {
  const file = new URL(`${kind}/${name}.json`, folder);
  // Through JSON, so that what is left out of it is left out here.
  const plain: unknown = JSON.parse(JSON.stringify(got));
  if (isUpdate) {
    mkdirSync(new URL(`${kind}/`, folder), { recursive: true });
    writeFileSync(file, `${JSON.stringify(plain, undefined, 2)}\n`);
  }
  assert.deepEqual(plain, JSON.parse(readFileSync(file, 'utf8')));
}

/** Events as data, so that a golden file can be read. */
function reported(bytes: Buffer): unknown[] {
  return eventsOf(bytes).map((event) => {
    const { data = '' } = event;
    const name = eventName(event);
    const parsed: unknown = data.startsWith('{') ? JSON.parse(data) : data;
    return name === undefined ? { data: parsed } : { event: name, data: parsed };
  });
}

function streamed(chunks: Iterable<Buffer>, request: RelayRequest): Buffer {
  const reader = request.readStream();
  const written = [...chunks].map((chunk) => reader.push(chunk) ?? Buffer.alloc(0));
  assert.ok(reader.isComplete());
  assert.equal(reader.complaint, undefined);
  return Buffer.concat([...written, reader.last ?? Buffer.alloc(0)]);
}

for (const { from, to } of pairs) {
  const name = `${nameOf(from)}-to-${nameOf(to)}`;
  describe(name, () => {
    if ('client' in from && 'upstream' in to) testRequest(name, from, to);
    if ('upstream' in from && 'client' in to) testAnswers(name, from, to);
  });
}

function testRequest(name: string, from: Speaker, to: Asked): void {
  test('a request is asked of the other protocol as it was found right', () => {
    const request = translated(from, to);
    const body = request.write({ upstreamModel: 'upstream-model', dropFields: [] });
    assert.ok(Buffer.isBuffer(body));
    check('request', name, { body: JSON.parse(body.toString()) as unknown, dropped: request.dropped });
  });
}

function testAnswers(name: string, from: Asked, to: Speaker): void {
  test('a whole answer is written in the other protocol as it was found right', () => {
    const answer = translated(to, from).writeAnswer?.(sample(from.upstream.name, 'response.json'));
    assert.ok(answer !== undefined);
    check('response', name, JSON.parse(answer.toString()));
  });

  test("a whole answer and its events are what the vendor's types say (contract-2 7)", () => {
    const answer = translated(to, from).writeAnswer?.(sample(from.upstream.name, 'response.json'));
    checkAnswer(to.published.answer, JSON.parse(String(answer)));
    const events = streamed([sample(from.upstream.name, 'stream.txt')], translated(to, from));
    checkEvents(to.published.event, events.toString());
  });

  test('a stream is written in the other protocol as it was found right, however its bytes are cut', () => {
    const bytes = sample(from.upstream.name, 'stream.txt');
    const whole = streamed([bytes], translated(to, from));
    check('stream', name, reported(whole));
    const single = [...bytes].map((byte) => Buffer.from([byte]));
    assert.equal(streamed(single, translated(to, from)).toString(), whole.toString());
    for (let size = 2; size < 400; size += 13) {
      const chunks: Buffer[] = [];
      for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
      assert.equal(streamed(chunks, translated(to, from)).toString(), whole.toString());
    }
  });
}
