import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { foldParts } from '../../../neutral/fold-parts.ts';
import type { OutputPart } from '../../../neutral/generation.ts';
import type { StreamPart } from '../../../neutral/stream-part.ts';
import { NO_USAGE } from '../../../neutral/usage.ts';
import type { JsonRecord } from '../../json/json-value.ts';
import { eventsOf } from '../../stream/sse.ts';
import { readGeneration } from './read-generation.ts';
import { writeResult } from './write-result.ts';
import { ContentStreamWriter } from './write-stream.ts';

const context = {
  id: 'abc',
  created: 1,
  generation: readGeneration({ contents: [{ parts: [{ text: 'hi' }] }] }, { model: 'm', stream: true }),
};
const usage = { ...NO_USAGE, input: 3, output: 9, reasoning: 4 };
const signature = { protocol: 'anthropic-messages', value: 'sig' };
const SIGNED = Buffer.from('tg1.anthropic-messages.sig').toString('base64');

function whole(content: OutputPart[], reason: 'stop' | 'tool-calls' = 'stop'): JsonRecord {
  const bytes = writeResult({ id: 'up', content, finish: { reason }, usage }, context);
  return JSON.parse(bytes.toString()) as JsonRecord;
}
function stream(parts: StreamPart[]): JsonRecord[] {
  const writer = new ContentStreamWriter(context);
  const text = parts.map((part) => writer.write(part)).join('');
  return eventsOf(Buffer.from(text)).map(({ data }) => JSON.parse(data ?? '') as JsonRecord);
}

const PARTS: StreamPart[] = [
  { type: 'start', id: 'up' },
  { type: 'block-start', index: 0, block: { type: 'reasoning' } },
  { type: 'delta', index: 0, text: 'hm' },
  { type: 'signature', index: 0, signature },
  { type: 'block-end', index: 0 },
  { type: 'block-start', index: 1, block: { type: 'text' } },
  { type: 'delta', index: 1, text: 'Grüß ' },
  { type: 'delta', index: 1, text: 'Gott' },
  { type: 'citation', index: 1, citation: { url: 'https://u', title: 'T', start: 5, end: 9 } },
  { type: 'block-end', index: 1 },
  { type: 'block-start', index: 2, block: { type: 'tool-call', id: 'c1', name: 'f' } },
  { type: 'block-start', index: 3, block: { type: 'tool-call', id: 'c2', name: 'g' } },
  { type: 'signature', index: 2, signature: { protocol: 'gemini-generate-content', value: 'own' } },
  { type: 'delta', index: 3, text: '{"b"' },
  { type: 'delta', index: 2, text: '{"a":' },
  { type: 'delta', index: 2, text: '1}' },
  { type: 'delta', index: 3, text: ':2}' },
  { type: 'block-end', index: 2 },
  { type: 'block-end', index: 3 },
  { type: 'finish', finish: { reason: 'tool-calls' }, usage },
];
const GROUNDING = {
  groundingChunks: [{ web: { uri: 'https://u', title: 'T' } }],
  groundingSupports: [{ segment: { startIndex: 7, endIndex: 11, text: 'Gott' }, groundingChunkIndices: [0] }],
};
const USAGE = {
  promptTokenCount: 3,
  candidatesTokenCount: 5,
  totalTokenCount: 12,
  promptTokensDetails: [{ modality: 'TEXT', tokenCount: 3 }],
  thoughtsTokenCount: 4,
};

describe('a stream of another protocol', () => {
  test('goes out as pieces of text, and calls as wholes', () => {
    const events = stream(PARTS);
    const texts = events.map(
      ({ candidates }) => (candidates as { content: { parts: JsonRecord[] } }[])[0]?.content.parts,
    );
    assert.deepEqual(texts, [
      [{ text: 'hm', thought: true }],
      [{ text: '', thought: true, thoughtSignature: SIGNED }],
      [{ text: 'Grüß ' }],
      [{ text: 'Gott' }],
      [{ functionCall: { id: 'c1', name: 'f', args: { a: 1 } }, thoughtSignature: 'own' }],
      [{ functionCall: { id: 'c2', name: 'g', args: { b: 2 } } }],
      [{ text: '' }],
    ]);
    assert.deepEqual(events.at(-1), {
      candidates: [
        {
          content: { parts: [{ text: '' }], role: 'model' },
          finishReason: 'STOP',
          index: 0,
          groundingMetadata: GROUNDING,
        },
      ],
      usageMetadata: USAGE,
      modelVersion: 'm',
      responseId: 'abc',
    });
    assert.ok(events.slice(0, -1).every((event) => event['usageMetadata'] === undefined));
  });

  test('keeps reasoning that only its provider can read', () => {
    const [sealed] = stream([
      { type: 'block-start', index: 0, block: { type: 'reasoning', sealed: signature } },
      { type: 'block-end', index: 0 },
    ]);
    const candidates = sealed?.['candidates'] as { content: { parts: JsonRecord[] } }[] | undefined;
    const part = candidates?.[0]?.content.parts[0];
    const contents = [{ role: 'model', parts: [part] }];
    assert.deepEqual(readGeneration({ contents }, { model: 'm', stream: false }).messages[0]?.content, [
      { type: 'reasoning', text: '', sealed: signature, path: 'contents[0].parts[0]' },
    ]);
  });
});

describe('a whole answer of another protocol', () => {
  test('says the same as its stream', () => {
    const result = foldParts(PARTS);
    assert.ok(result !== undefined);
    const answer = JSON.parse(writeResult(result, context).toString()) as JsonRecord;
    assert.deepEqual(answer, {
      candidates: [
        {
          content: {
            parts: [
              { text: 'hm', thought: true, thoughtSignature: SIGNED },
              { text: 'Grüß Gott' },
              { functionCall: { id: 'c1', name: 'f', args: { a: 1 } }, thoughtSignature: 'own' },
              { functionCall: { id: 'c2', name: 'g', args: { b: 2 } } },
            ],
            role: 'model',
          },
          finishReason: 'STOP',
          index: 0,
          groundingMetadata: {
            ...GROUNDING,
            groundingSupports: [
              { segment: { partIndex: 1, startIndex: 7, endIndex: 11, text: 'Gott' }, groundingChunkIndices: [0] },
            ],
          },
        },
      ],
      usageMetadata: USAGE,
      modelVersion: 'm',
      responseId: 'abc',
    });
  });

  test('has a part even when nothing was said, and keeps refusals and broken arguments', () => {
    const parts = (content: OutputPart[]) =>
      (whole(content)['candidates'] as { content: { parts: JsonRecord[] } }[])[0]?.content.parts;
    assert.deepEqual(parts([]), [{ text: '' }]);
    assert.deepEqual(parts([{ type: 'refusal', text: 'no', path: '' }]), [{ text: 'no' }]);
    assert.deepEqual(parts([{ type: 'tool-call', id: '1', name: 'f', arguments: '{"a"', path: '' }]), [
      { functionCall: { id: '1', name: 'f', args: { arguments: '{"a"' } } },
    ]);
  });
});
