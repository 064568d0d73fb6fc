import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Message, Part } from '../../../neutral/conversation.ts';
import { Dropped } from '../../../neutral/dropped.ts';
import type { Generation } from '../../../neutral/generation.ts';
import { writeGeneration } from './write-generation.ts';

const text = (value: string): Part => ({ type: 'text', text: value, path: 'p' });
const message = (role: Message['role'], ...content: Part[]): Message => ({ role, content, path: 'm' });
const media = (fields: object): Part => ({ type: 'media', kind: 'file', path: 'p', ...fields }) as Part;

interface Written {
  body: Record<string, unknown> & { input: unknown[] };
  dropped: readonly string[];
}
function write(given: Partial<Generation>, dropFields: string[] = []): Written {
  const base = { model: 'm', stream: false, messages: [message('user', text('hi'))], tools: [], settings: {} };
  const dropped = new Dropped({ topK: 'top_k', stop: 'stop', seed: 'seed', choices: 'n' });
  const generation = { ...base, showsUsage: false, unknown: [], ...given };
  const bytes = writeGeneration(generation, { upstreamModel: 'up', dropFields, defaultMaxOutput: 99, dropped });
  return { body: JSON.parse(bytes.toString()) as Written['body'], dropped: dropped.paths };
}
const say = (...messages: Message[]): unknown[] => write({ messages }).body.input;

describe('a conversation as input items', () => {
  test('keeps roles and order, and never leaves out the turn of a user', () => {
    const developer = { ...message('system', text('b')), isDeveloper: true };
    assert.deepEqual(say(message('system', text('a')), developer, message('system'), message('user')), [
      { role: 'system', content: [{ type: 'input_text', text: 'a' }] },
      { role: 'developer', content: [{ type: 'input_text', text: 'b' }] },
      { role: 'user', content: '' },
    ]);
  });

  test('has what the assistant said, thought and called in its order, with its own seals only', () => {
    const own = { protocol: 'openai-responses', value: 'rs_1:E:1' };
    const foreign = { protocol: 'anthropic-messages', value: 'S' };
    assert.deepEqual(
      say(
        message(
          'assistant',
          { type: 'reasoning', text: 'hm', signature: own, path: 'p' },
          { type: 'reasoning', text: 'x', signature: foreign, path: 'p' },
          { type: 'reasoning', text: '', sealed: foreign, path: 'p' },
          { type: 'text', text: 'ok', citations: [{ url: 'u' }], path: 'p' },
          { type: 'tool-call', id: 'c', name: 'f', arguments: '', signature: foreign, path: 'p' },
          { type: 'refusal', text: 'no', path: 'p' },
        ),
      ),
      [
        {
          type: 'reasoning',
          id: 'rs_1',
          summary: [{ type: 'summary_text', text: 'hm' }],
          encrypted_content: 'E:1',
        },
        {
          role: 'assistant',
          content: [
            {
              type: 'output_text',
              text: 'ok',
              annotations: [{ type: 'url_citation', url: 'u', title: '', start_index: 0, end_index: 2 }],
            },
          ],
        },
        { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
        { role: 'assistant', content: [{ type: 'refusal', refusal: 'no' }] },
      ],
    );
  });

  test('has results as text or as parts, with their errors, and names what has no place in them', () => {
    const result = (callId: string, isError: boolean, ...content: Part[]): Part => ({
      type: 'tool-result',
      callId,
      content: content as never,
      isError,
      path: 'p',
    });
    const image = media({ kind: 'image', source: { by: 'url', url: 'https://x' } });
    const audio = media({ kind: 'audio', source: { by: 'data', data: 'A', mediaType: 'audio/wav' }, path: 'audio' });
    const { body, dropped } = write({
      messages: [
        message(
          'tool',
          result('a', false, text('1'), text('2')),
          result('b', true, text('bad')),
          result('c', true, text('see'), image, audio),
          result('d', false),
        ),
      ],
    });
    assert.deepEqual(body.input, [
      { type: 'function_call_output', call_id: 'a', output: '1\n2' },
      { type: 'function_call_output', call_id: 'b', output: 'Error: bad' },
      {
        type: 'function_call_output',
        call_id: 'c',
        output: [
          { type: 'input_text', text: 'Error:' },
          { type: 'input_text', text: 'see' },
          { type: 'input_image', image_url: 'https://x', detail: 'auto' },
        ],
      },
      { type: 'function_call_output', call_id: 'd', output: '' },
    ]);
    assert.deepEqual(dropped, ['audio']);
  });

  test('has media by address, bytes and id', () => {
    const data = { by: 'data', data: 'AA', mediaType: 'application/pdf' };
    const { body, dropped } = write({
      messages: [
        message(
          'user',
          media({ kind: 'image', source: { by: 'data', data: 'AA', mediaType: 'image/png' }, detail: 'low' }),
          media({ kind: 'image', source: { by: 'id', id: 'i' } }),
          media({ source: data, filename: 'a.pdf' }),
          media({ source: { by: 'url', url: 'https://f' }, title: 'T', path: 'url' }),
          media({ source: { by: 'id', id: 'f' } }),
          media({ source: { by: 'text', text: 'words', mediaType: 'text/plain' } }),
          media({ kind: 'audio', source: { by: 'data', data: 'AA', mediaType: 'audio/mpeg' } }),
          media({ kind: 'video', source: { by: 'url', url: 'https://v' }, path: 'video' }),
        ),
      ],
    });
    assert.deepEqual(body.input, [
      {
        role: 'user',
        content: [
          { type: 'input_image', image_url: 'data:image/png;base64,AA', detail: 'low' },
          { type: 'input_image', file_id: 'i', detail: 'auto' },
          { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,AA' },
          { type: 'input_file', file_url: 'https://f' },
          { type: 'input_file', file_id: 'f' },
          { type: 'input_text', text: 'words' },
          { type: 'input_audio', input_audio: { data: 'AA', format: 'mp3' } },
        ],
      },
    ]);
    assert.deepEqual(dropped, ['url.title', 'video']);
  });
});

describe('settings of a responses request', () => {
  test('are written under the names of this protocol, and nothing is left with the upstream', () => {
    const { body, dropped } = write({
      stream: true,
      tools: [{ name: 'f', description: 'd', path: 't' }],
      settings: {
        maxOutputTokens: 50,
        temperature: 0,
        topP: 1,
        parallelToolCalls: false,
        user: 'u',
        metadata: { a: 'b' },
        serviceTier: 'auto',
        verbosity: 'low',
        reasoning: { effort: 'max' },
        toolChoice: { type: 'tool', name: 'f' },
        format: { type: 'schema', name: 's', schema: { a: 1 } },
      },
    });
    assert.deepEqual(body, {
      model: 'up',
      input: [{ role: 'user', content: [{ type: 'input_text', text: 'hi' }] }],
      store: false,
      tools: [
        {
          type: 'function',
          name: 'f',
          description: 'd',
          parameters: { type: 'object', properties: {} },
          strict: false,
        },
      ],
      max_output_tokens: 50,
      temperature: 0,
      top_p: 1,
      parallel_tool_calls: false,
      safety_identifier: 'u',
      metadata: { a: 'b' },
      service_tier: 'auto',
      tool_choice: { type: 'function', name: 'f' },
      text: { format: { type: 'json_schema', name: 's', schema: { a: 1 } }, verbosity: 'low' },
      reasoning: { effort: 'max', summary: 'auto' },
      include: ['reasoning.encrypted_content'],
      stream: true,
    });
    assert.deepEqual(dropped, []);
  });

  test('that it has no place for are named', () => {
    const settings = { topK: 1, stop: ['x'], seed: 1, presencePenalty: 1, frequencyPenalty: 1, choices: 2 };
    const { dropped } = write({ settings });
    assert.deepEqual(dropped, ['top_k', 'stop', 'seed', 'presencePenalty', 'frequencyPenalty', 'n']);
  });

  test('are adapted where the real service is narrower', () => {
    const raised = write({ settings: { maxOutputTokens: 1 } });
    assert.deepEqual([raised.body['max_output_tokens'], raised.dropped], [16, ['maxOutputTokens']]);
    assert.deepEqual(write({ settings: { reasoning: { effort: 'none' } } }).body['reasoning'], { effort: 'none' });
    const json = write({ settings: { format: { type: 'json' } } }).body;
    const hint = { role: 'system', content: 'Answer with one JSON object and nothing else.' };
    assert.deepEqual(json.input[0], hint);
    assert.deepEqual(write({ settings: { toolChoice: { type: 'auto' } } }).body['tool_choice'], undefined);
  });

  test('that the channel filters out are left out, but never what makes the request', () => {
    const { body } = write({ settings: { temperature: 1 } }, ['store', 'temperature', 'input', 'model']);
    assert.deepEqual(Object.keys(body), ['model', 'input']);
  });
});
