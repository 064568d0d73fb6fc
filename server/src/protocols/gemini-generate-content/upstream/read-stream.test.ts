import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { foldParts } from '../../../neutral/fold-parts.ts';
import type { StreamPart } from '../../../neutral/stream-part.ts';
import { NO_USAGE } from '../../../neutral/usage.ts';
import { StreamError } from '../../protocol.ts';
import { EventAligner, eventsOf } from '../../stream/sse.ts';
import { readResult } from './read-result.ts';
import { ContentPartsReader } from './read-stream.ts';

const own = (value: string) => ({ protocol: 'gemini-generate-content', value });
const piece = (parts: object[], more: object = {}): object => ({
  candidates: [{ content: { parts, role: 'model' }, index: 0, ...more }],
  responseId: 'r1',
});
const event = (data: object): string => `data: ${JSON.stringify(data)}\r\n\r\n`;
const USAGE = { usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 5, thoughtsTokenCount: 4 } };
const SOURCES = {
  groundingMetadata: {
    groundingChunks: [{ web: { uri: 'https://u', title: 'T' } }],
    groundingSupports: [{ segment: { startIndex: 7, endIndex: 11, text: 'Gott' }, groundingChunkIndices: [0] }],
  },
};

const STREAM =
  event({ ...piece([{ text: 'I ', thought: true }]), usageMetadata: { promptTokenCount: 3 } }) +
  ': a comment\r\n\r\n' +
  event(piece([{ text: 'think', thought: true, thoughtSignature: 's1' }])) +
  event(piece([{ text: 'Grüß ' }, { somethingNew: {} }])) +
  event({ candidates: [{ index: 1, content: { parts: [{ text: 'other' }] } }] }) +
  event(piece([{ text: 'Gott' }], SOURCES)) +
  event(piece([{ text: '', thoughtSignature: 's2' }], SOURCES)) +
  event(
    piece([
      { functionCall: { id: 'c1', name: 'f', args: { a: 1 } }, thoughtSignature: 's3' },
      { functionCall: { name: 'g' } },
    ]),
  ) +
  event({ ...piece([{ text: '' }], { finishReason: 'STOP' }), ...USAGE });

function read(bytes: Buffer, cuts: readonly number[] = []): StreamPart[] {
  const reader = new ContentPartsReader();
  const aligner = new EventAligner();
  const parts: StreamPart[] = [];
  let start = 0;
  for (const end of [...cuts.toSorted((a, b) => a - b), bytes.length]) {
    const block = aligner.push(bytes.subarray(start, end));
    for (const one of block === undefined ? [] : eventsOf(block)) parts.push(...reader.push(one));
    start = end;
  }
  return [...parts, ...reader.end()];
}
const parts = (text: string): StreamPart[] => read(Buffer.from(text));

describe('a stream of an upstream of this protocol', () => {
  test('becomes parts: thoughts closed by their proof, calls with theirs before the arguments', () => {
    const citation = { url: 'https://u', title: 'T', start: 5, end: 9 };
    assert.deepEqual(parts(STREAM), [
      { type: 'start', id: 'r1', usage: { ...NO_USAGE, input: 3 } },
      { type: 'block-start', index: 0, block: { type: 'reasoning' } },
      { type: 'delta', index: 0, text: 'I ' },
      { type: 'delta', index: 0, text: 'think' },
      { type: 'signature', index: 0, signature: own('s1') },
      { type: 'block-end', index: 0 },
      { type: 'block-start', index: 1, block: { type: 'text' } },
      { type: 'delta', index: 1, text: 'Grüß ' },
      { type: 'delta', index: 1, text: 'Gott' },
      { type: 'citation', index: 1, citation },
      { type: 'block-end', index: 1 },
      { type: 'block-start', index: 2, block: { type: 'reasoning' } },
      { type: 'signature', index: 2, signature: own('s2') },
      { type: 'block-end', index: 2 },
      { type: 'block-start', index: 3, block: { type: 'tool-call', id: 'c1', name: 'f' } },
      { type: 'signature', index: 3, signature: own('s3') },
      { type: 'delta', index: 3, text: '{"a":1}' },
      { type: 'block-end', index: 3 },
      { type: 'block-start', index: 4, block: { type: 'tool-call', id: '', name: 'g' } },
      { type: 'delta', index: 4, text: '{}' },
      { type: 'block-end', index: 4 },
      { type: 'finish', finish: { reason: 'tool-calls' }, usage: { ...NO_USAGE, input: 3, output: 9, reasoning: 4 } },
    ]);
  });

  test('gives the same parts however the network cuts its bytes', () => {
    const bytes = Buffer.from(STREAM);
    const whole = read(bytes);
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 20 }), (cuts) => {
        assert.deepEqual(read(bytes, cuts), whole);
      }),
    );
  });

  test('shows the signature of plain text only to clients that see thoughts', () => {
    const first = parts(event(piece([{ text: 'a', thoughtSignature: 's' }], { finishReason: 'STOP' })));
    assert.deepEqual(
      first.map(({ type }) => type),
      ['start', 'block-start', 'delta', 'block-end', 'finish'],
    );
  });

  test('is finished only with a reason, or a blocked prompt', () => {
    assert.equal(parts(event(piece([{ text: 'a' }]))).at(-1)?.type, 'delta');
    const [, blocked] = parts(event({ promptFeedback: { blockReason: 'SAFETY' }, ...USAGE }));
    assert.deepEqual(blocked?.type === 'finish' && blocked.finish, { reason: 'content-filter' });
    const cut = parts(event(piece([{ text: 'a' }], { finishReason: 'MAX_TOKENS' }))).at(-1);
    assert.deepEqual(cut?.type === 'finish' && [cut.finish.reason, cut.usage], ['length', undefined]);
  });

  test('reports an error as an event or as plain JSON, and refuses what is no such stream', () => {
    const error = { error: { code: 429, message: 'slow down', status: 'RESOURCE_EXHAUSTED' } };
    const reported = { type: 'error', message: 'slow down', code: 'RESOURCE_EXHAUSTED' };
    assert.deepEqual(parts(event(error)), [reported]);
    assert.deepEqual(parts(`${JSON.stringify(error, null, 2)}\n\n`), [reported]);
    assert.throws(() => parts('data: <html>\n\n'), StreamError);
  });

  test('survives whatever stands where something else should', () => {
    const odd: unknown[] = [null, 1, 'x', [], {}, [null], [{ parts: 1 }]];
    for (const value of odd) {
      const bodies = [
        { candidates: value },
        { candidates: [value] },
        { candidates: [{ content: value, finishReason: value, index: 0 }] },
        { candidates: [{ content: { parts: [{ functionCall: value, text: value, thoughtSignature: value }] } }] },
        { candidates: [{ content: { parts: [{ text: 'a' }] }, groundingMetadata: value, citationMetadata: value }] },
        { promptFeedback: value, usageMetadata: value, responseId: value },
      ];
      for (const body of bodies) assert.equal(parts(event(body))[0]?.type, 'start');
    }
  });
});

describe('a whole answer of an upstream of this protocol', () => {
  test('says the same as its stream', () => {
    const whole = {
      ...piece(
        [
          { text: 'I think', thought: true, thoughtSignature: 's1' },
          { text: 'Grüß Gott', thoughtSignature: 's2' },
          { functionCall: { id: 'c1', name: 'f', args: { a: 1 } }, thoughtSignature: 's3' },
          { functionCall: { name: 'g' } },
        ],
        { finishReason: 'STOP' },
      ),
      ...USAGE,
    };
    const streamed = foldParts(parts(STREAM.replaceAll(/,"groundingMetadata".*?\]\}\]\}/g, '')));
    assert.deepEqual(readResult(Buffer.from(JSON.stringify(whole))), streamed);
  });

  test('has its sources, from grounding and from citations, in characters', () => {
    const cited = { citationMetadata: { citations: [{ startIndex: 0, endIndex: 6, uri: 'https://v' }] } };
    const answer = piece([{ text: 'Grüß Gott' }], { finishReason: 'STOP', ...SOURCES, ...cited });
    const [first] = readResult(Buffer.from(JSON.stringify(answer)))?.content ?? [];
    assert.deepEqual(first?.type === 'text' && first.citations, [
      { url: 'https://u', title: 'T', start: 5, end: 9 },
      { url: 'https://v', start: 0, end: 4 },
    ]);
  });

  test('is over even where it does not say why', () => {
    const bare = readResult(Buffer.from(JSON.stringify(piece([{ text: 'a' }]))));
    assert.deepEqual([bare?.finish, bare?.content.length], [{ reason: 'stop' }, 1]);
  });

  test('is none without a candidate, or with an error', () => {
    for (const text of ['', '[]', '{}', '{"error":{"code":1}}', '{"candidates":[]}'])
      assert.equal(readResult(Buffer.from(text)), undefined, text);
  });
});
