// Custom tools through every other protocol and back (contract-2 7).
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertRefused } from '../../testing/refusals.ts';
import { anthropicMessagesUpstream } from '../anthropic-messages/index.ts';
import { geminiUpstream } from '../gemini-generate-content/index.ts';
import { openaiChatClient, openaiChatUpstream, readChat } from '../openai-chat/index.ts';
import { openaiResponsesClient, openaiResponsesUpstream, readResponse } from '../openai-responses/index.ts';
import type { RelayRequest } from '../protocol.ts';
import type { UpstreamSide } from '../text-protocol.ts';
import { translateRequest } from '../translation/translate.ts';
import { CustomInput, inputOf } from './custom-input.ts';

const PATCH = '*** Begin Patch\n"\\é\u{1f600}\t\n*** End Patch';
const ARGUMENTS = JSON.stringify({ input: PATCH });
const TARGET = { upstreamModel: 'up', dropFields: [] };
const FACTS = { id: 'ID', created: 7, strict: true, defaultMaxOutput: 100 };
const GRAMMAR = { syntax: 'lark', definition: 'start: "x"' };
const REQUEST = {
  model: 'm',
  input: [
    { role: 'user', content: 'go' },
    { type: 'custom_tool_call', id: 'ctc_1', call_id: 'c1', name: 'apply_patch', input: PATCH, status: 'completed' },
    { type: 'custom_tool_call_output', call_id: 'c1', output: 'done' },
  ],
  tools: [
    { type: 'custom', name: 'apply_patch', description: 'Edits.', format: { type: 'grammar', ...GRAMMAR } },
    { type: 'custom', name: 'say' },
    { type: 'function', name: 'f', parameters: { type: 'object', properties: {} } },
  ],
  tool_choice: { type: 'custom', name: 'apply_patch' },
};
const CHAT_REQUEST = {
  model: 'm',
  messages: [
    { role: 'user', content: 'go' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', type: 'custom', custom: { name: 'apply_patch', input: PATCH } }],
    },
    { role: 'tool', tool_call_id: 'c1', content: 'done' },
  ],
  tools: [
    {
      type: 'custom',
      custom: { name: 'apply_patch', description: 'Edits.', format: { type: 'grammar', grammar: GRAMMAR } },
    },
    { type: 'custom', custom: { name: 'say' } },
  ],
  tool_choice: { type: 'custom', custom: { name: 'apply_patch' } },
};

const bytes = (value: object): Buffer => Buffer.from(JSON.stringify(value));

function fromResponses(to: UpstreamSide, fields: object = {}): RelayRequest {
  const request = readResponse(bytes({ ...REQUEST, ...fields }));
  return must(translateRequest(request, { ...FACTS, from: openaiResponsesClient, to }));
}

function fromChat(to: UpstreamSide, fields: object = {}): RelayRequest {
  const request = readChat(bytes({ ...CHAT_REQUEST, ...fields }));
  return must(translateRequest(request, { ...FACTS, from: openaiChatClient, to }));
}

function must<T>(value: T | undefined): T {
  assert.ok(value !== undefined);
  return value;
}

function written(request: RelayRequest): Record<string, unknown> {
  return JSON.parse((request.write(TARGET) as Buffer).toString()) as Record<string, unknown>;
}

/** The tools, the call in the history and its result, wherever this protocol has them. */
const UPSTREAMS: readonly [UpstreamSide, object][] = [
  [
    openaiChatUpstream,
    {
      choices: [
        {
          message: {
            role: 'assistant',
            tool_calls: [{ id: 'c2', type: 'function', function: { name: 'apply_patch', arguments: ARGUMENTS } }],
          },
          finish_reason: 'tool_calls',
        },
      ],
    },
  ],
  [
    anthropicMessagesUpstream,
    {
      type: 'message',
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'c2', name: 'apply_patch', input: { input: PATCH } }],
      stop_reason: 'tool_use',
    },
  ],
  [
    geminiUpstream,
    {
      candidates: [
        {
          content: {
            role: 'model',
            parts: [{ functionCall: { id: 'c2', name: 'apply_patch', args: { input: PATCH } } }],
          },
          finishReason: 'STOP',
        },
      ],
    },
  ],
];

describe('custom tools of a responses request (contract-2 7)', () => {
  test('are functions with one text field, for a strict caller too, and so are their calls before', () => {
    for (const [to] of UPSTREAMS) {
      const request = fromResponses(to);
      const text = JSON.stringify(written(request));
      assert.deepEqual(request.dropped, [], to.name);
      assert.ok(text.includes('"apply_patch"') && text.includes('"say"') && text.includes('"f"'), text);
      assert.ok(text.includes(JSON.stringify(GRAMMAR.definition).slice(1, -1)), 'the model is shown the grammar');
      assert.ok(text.includes('done'), 'the result of the call before');
    }
    const chat = written(fromResponses(openaiChatUpstream)) as {
      messages: { tool_calls?: unknown; tool_call_id?: string }[];
      tools: { function: { parameters: { required: string[] } } }[];
      tool_choice: unknown;
    };
    assert.deepEqual(chat.messages[1]?.tool_calls, [
      { id: 'c1', type: 'function', function: { name: 'apply_patch', arguments: ARGUMENTS } },
    ]);
    assert.equal(chat.messages[2]?.tool_call_id, 'c1');
    assert.deepEqual(chat.tools[0]?.function.parameters.required, ['input']);
    assert.deepEqual(chat.tool_choice, { type: 'function', function: { name: 'apply_patch' } });
  });

  test('come back as custom_tool_call in a whole answer, and are repeated as they were given', () => {
    for (const [to, answer] of UPSTREAMS) {
      const response = JSON.parse(String(fromResponses(to).writeAnswer?.(bytes(answer)))) as {
        output: { type: string; id: string; input: string }[];
        tools: unknown[];
        tool_choice: unknown;
      };
      const call = { type: 'custom_tool_call', status: 'completed', call_id: 'c2', name: 'apply_patch', input: PATCH };
      assert.deepEqual(response.output, [{ id: 'ctc_ID0', ...call }], to.name);
      assert.deepEqual(response.tool_choice, REQUEST.tool_choice);
      assert.deepEqual(response.tools[0], REQUEST.tools[0]);
      assert.deepEqual(response.tools[1], { type: 'custom', name: 'say', format: { type: 'text' } });
    }
  });

  test('come back as events of custom_tool_call_input in a stream, however the arguments are cut', () => {
    for (const size of [1, 2, 3, 7, 1_000]) {
      const stream = must(fromResponses(openaiChatUpstream, { stream: true }).readStream());
      const sent = [...pieces(ARGUMENTS, size)].map((text, index) =>
        chunk({
          tool_calls: [{ index: 0, ...(index === 0 ? HEAD : {}), function: { ...nameOf(index), arguments: text } }],
        }),
      );
      const all = [...sent, chunk({}, 'tool_calls'), 'data: [DONE]\n\n'].map((one) => stream.push(Buffer.from(one)));
      const events = read(
        `${Buffer.concat(all.filter((one) => one !== undefined)).toString()}${stream.last?.toString()}`,
      );
      const deltas = events.filter(({ type }) => type === 'response.custom_tool_call_input.delta');
      assert.equal(deltas.map(({ delta }) => delta).join(''), PATCH);
      assert.ok(deltas.every(({ item_id }) => item_id === 'ctc_ID0'));
      const [done] = events.filter(({ type }) => type === 'response.custom_tool_call_input.done');
      assert.equal(done?.input, PATCH);
      const [item] = events.filter(({ type }) => type === 'response.output_item.done');
      assert.deepEqual([item?.item?.type, item?.item?.input], ['custom_tool_call', PATCH]);
      assert.ok(events.every(({ type }) => !type.includes('function_call')));
      if (size < 7) assert.ok(deltas.length > 5, 'the text is not held back to the end');
    }
  });

  test('are refused where their format is none', () => {
    const tools = [{ type: 'custom', name: 'x', format: { type: 'regex' } }];
    const position = 'tools[0].format.type';
    assertRefused(
      () => fromResponses(openaiChatUpstream, { tools }),
      `'${position}' must be text or grammar.`,
      position,
    );
  });
});

describe('custom tools of a chat request (contract-2 7)', () => {
  test('go as functions and come back as custom calls, whole and streamed', () => {
    const request = fromChat(openaiResponsesUpstream);
    const body = written(request) as { input: object[] };
    assert.deepEqual(request.dropped, []);
    assert.deepEqual(body.input[1], {
      type: 'function_call',
      call_id: 'c1',
      name: 'apply_patch',
      arguments: ARGUMENTS,
    });
    for (const [to, answer] of UPSTREAMS.slice(1)) {
      const whole = JSON.parse(String(fromChat(to).writeAnswer?.(bytes(answer)))) as {
        choices: [{ message: { tool_calls: object[] } }];
      };
      assert.deepEqual(whole.choices[0].message.tool_calls, [
        { id: 'c2', type: 'custom', custom: { name: 'apply_patch', input: PATCH } },
      ]);
    }
    const stream = must(fromChat(openaiResponsesUpstream, { stream: true }).readStream());
    const events = [
      { type: 'response.created', response: { id: 'r' } },
      {
        type: 'response.output_item.added',
        output_index: 0,
        item: { type: 'function_call', call_id: 'c2', name: 'apply_patch' },
      },
      ...[...pieces(ARGUMENTS, 5)].map((delta) => ({
        type: 'response.function_call_arguments.delta',
        output_index: 0,
        delta,
      })),
      { type: 'response.completed', response: { status: 'completed', output: [] } },
    ].map((one) => stream.push(Buffer.from(`data: ${JSON.stringify(one)}\n\n`)));
    const text = Buffer.concat(events.filter((one) => one !== undefined)).toString();
    const calls = readChunks(text);
    assert.deepEqual(calls[0], { index: 0, id: 'c2', type: 'custom', custom: { name: 'apply_patch', input: '' } });
    assert.equal(calls.map(({ custom }) => custom.input).join(''), PATCH);
  });
});

describe('the text inside the arguments', () => {
  test('is what the model wrote where it does not keep to the one field', () => {
    assert.equal(inputOf(''), '');
    assert.equal(inputOf('{}'), '');
    assert.equal(inputOf('{"patch":"x"}'), 'x');
    assert.equal(inputOf('{"a":1,"b":"x"}'), '{"a":1,"b":"x"}');
    assert.equal(inputOf('ls -l'), 'ls -l');
  });

  test('is the same in pieces of any size', () => {
    const texts = ['', 'a', '"', '\\', '\\\\ud83d', '\ud83d', '\u{1f600}', PATCH, 'x'.repeat(600), '\u0001é'];
    const all = texts.flatMap((input) => {
      const plain = JSON.stringify({ input });
      const escaped = `{ "input" : "${escape(input)}" }`;
      return [plain, escaped, JSON.stringify({ other: input }), JSON.stringify({ input: 1, other: input }), input];
    });
    for (const text of all)
      for (const size of [1, 2, 5, 11, 400]) {
        const reader = new CustomInput();
        let found = '';
        for (const piece of pieces(text, size)) found += reader.push(piece);
        assert.equal(found + reader.end(), inputOf(text), `${text} by ${size}`);
      }
  });
});

const HEAD = { id: 'c2', type: 'function' };

function nameOf(index: number): object {
  return index === 0 ? { name: 'apply_patch' } : {};
}

function chunk(delta: object, finish_reason: string | null = null): string {
  return `data: ${JSON.stringify({ id: 'x', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
}

function* pieces(text: string, size: number): Generator<string> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}

function escape(one: string): string {
  return one
    .split('')
    .map((half) => `\\u${half.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

interface Event {
  type: string;
  delta?: string;
  item_id?: string;
  input?: string;
  item?: { type: string; input: string };
}

function read(text: string): Event[] {
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data) as Event);
}

function readChunks(text: string): { custom: { input: string } }[] {
  const chunks = [...text.matchAll(/^data: (\{.*)$/gm)].map(
    ([, data = '']) => JSON.parse(data) as { choices: { delta: { tool_calls?: { custom: { input: string } }[] } }[] },
  );
  return chunks.flatMap(({ choices }) => choices.flatMap(({ delta }) => delta.tool_calls ?? []));
}
