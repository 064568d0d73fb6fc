import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StreamPart } from '../../../neutral/stream-part.ts';
import { StreamError } from '../../protocol.ts';
import { eventsOf } from '../../stream/sse.ts';
import { ConversePartsReader } from './read-stream.ts';

type Event = [name: string, data: object];

function read(...events: Event[]): { parts: StreamPart[]; reader: ConversePartsReader } {
  const reader = new ConversePartsReader();
  const text = events.map(([name, data]) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`).join('');
  const parts = eventsOf(Buffer.from(text)).flatMap((event) => reader.push(event));
  return { parts, reader };
}

const START: Event = ['messageStart', { role: 'assistant' }];
const words = (text: string, contentBlockIndex = 0): Event => [
  'contentBlockDelta',
  { delta: { text }, contentBlockIndex },
];
const stop = (contentBlockIndex = 0): Event => ['contentBlockStop', { contentBlockIndex }];
const END: Event = ['messageStop', { stopReason: 'end_turn' }];
const METER: Event = ['metadata', { usage: { inputTokens: 3, outputTokens: 2, cacheReadInputTokens: 4 } }];

test('usage comes after the stop, and the finish waits for it', () => {
  const { parts } = read(START, words('hi'), stop(), END, METER);
  assert.deepEqual(
    parts.map(({ type }) => type),
    ['start', 'block-start', 'delta', 'block-end', 'finish'],
  );
  const last = parts.at(-1);
  assert.ok(last?.type === 'finish');
  assert.deepEqual([last.finish.reason, last.usage?.input, last.usage?.cachedInput], ['stop', 7, 4]);
});

test('a stream that ends without usage is still a whole one; one without a stop is not', () => {
  assert.deepEqual(
    read(START, words('hi'), stop(), END)
      .reader.end()
      .map(({ type }) => type),
    ['finish'],
  );
  assert.deepEqual(read(START, words('hi'), stop()).reader.end(), []);
});

test('events that nobody knows are passed over, padding too (contract-2 9)', () => {
  const { parts } = read(START, ['somethingNew', { a: 1 }], ['contentBlockDelta', { p: 'xx', contentBlockIndex: 0 }]);
  assert.deepEqual(
    parts.map(({ type }) => type),
    ['start'],
  );
});

for (const [name, status] of [
  ['throttlingException', 429],
  ['validationException', 400],
  ['internalServerException', undefined],
] as const)
  test(`an exception ends the stream: ${name} (contract-2 9)`, () => {
    const { parts } = read(START, [name, { message: 'no' }], words('more'));
    assert.deepEqual(parts.at(-1), { type: 'error', message: 'no', code: name, status });
  });

test('frames in another order break the stream (contract-2 9)', () => {
  for (const events of [
    [words('hi'), START],
    [START, words('a'), stop(), words('b')],
    [START, words('a'), stop(), END, words('b', 1)],
    [START, words('a'), ['contentBlockStart', { contentBlockIndex: 0, start: { toolUse: { name: 'x' } } }]],
    [START, ['contentBlockDelta', { delta: { toolUse: { input: '{"a":' } }, contentBlockIndex: 0 }]],
  ] as Event[][])
    assert.throws(() => read(...events), StreamError);
});
