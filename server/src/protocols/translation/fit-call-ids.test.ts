// Call ids in requests for an upstream of the client's own protocol (contract-2 7).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readMessages } from '../anthropic-messages/index.ts';
import { readChat } from '../openai-chat/index.ts';
import { readConversation, readResponse } from '../openai-responses/index.ts';
import type { RelayRequest } from '../protocol.ts';

const target = { upstreamModel: 'm', dropFields: [] };
const LONG = `call_${'x'.repeat(95)}`;
const OTHER = `${LONG.slice(0, -1)}y`;
const FITS = /^[a-zA-Z0-9_-]{1,64}$/;

function write(read: (body: Buffer) => RelayRequest, text: string): string {
  const bytes = read(Buffer.from(text)).write(target);
  assert.ok(Buffer.isBuffer(bytes));
  return bytes.toString();
}

/** Of the ids put into a body of each protocol, what is sent: each twice, of the call and of its result. */
const SHAPES: Record<string, { read: (body: Buffer) => RelayRequest; body: (ids: string[]) => object; sent: RegExp }> =
  {
    chat: {
      read: readChat,
      body: (ids) => ({
        model: 'm',
        messages: [
          { role: 'user', content: 'hi' },
          {
            role: 'assistant',
            tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } })),
          },
          ...ids.map((tool_call_id) => ({ role: 'tool', tool_call_id, content: 'x' })),
        ],
      }),
      sent: /"(?:tool_call_id|id)":"(.*?)"/g,
    },
    responses: {
      read: readResponse,
      body: (ids) => ({
        model: 'm',
        input: [
          { role: 'user', content: 'hi' },
          ...ids.map((call_id) => ({ type: 'function_call', call_id, name: 'f', arguments: '{}' })),
          ...ids.map((call_id) => ({ type: 'function_call_output', call_id, output: 'x' })),
        ],
      }),
      sent: /"call_id":"(.*?)"/g,
    },
    messages: {
      read: readMessages,
      body: (ids) => ({
        model: 'm',
        max_tokens: 5,
        messages: [
          { role: 'user', content: 'hi' },
          { role: 'assistant', content: ids.map((id) => ({ type: 'tool_use', id, name: 'f', input: {} })) },
          { role: 'user', content: ids.map((tool_use_id) => ({ type: 'tool_result', tool_use_id, content: 'x' })) },
        ],
      }),
      sent: /"(?:tool_use_id|id)":"(.*?)"/g,
    },
  };
SHAPES['compact'] = { ...SHAPES['responses'], read: readConversation } as never;

for (const [name, { read, body, sent }] of Object.entries(SHAPES)) {
  const idsSent = (ids: string[]): string[] => {
    const found = [...write(read, JSON.stringify(body(ids))).matchAll(sent)].map(([, id]) => id ?? '');
    assert.deepEqual(found.slice(0, ids.length), found.slice(ids.length), 'one of call and result');
    return found.slice(0, ids.length);
  };

  test(`${name}: call ids that are too long are sent with at most 64 characters, and stay distinct (contract-2 7)`, () => {
    const ids = idsSent([LONG, 'call_1', OTHER]);
    for (const id of ids) assert.match(id, FITS);
    assert.equal(new Set(ids).size, 3);
    assert.equal(ids[1], 'call_1');
    assert.deepEqual(idsSent([LONG]), ids.slice(0, 1), 'the same in every request');
    const clash = idsSent([ids[0] ?? '', LONG]);
    assert.equal(new Set(clash).size, 2);
    assert.equal(clash[0], ids[0]);
  });

  test(`${name}: bodies whose call ids fit, or carry a signature, are sent as they came`, () => {
    for (const ids of [['call_1', 'toolu_01-x'], [`call_1__thought__${'Ab+/='.repeat(40)}`]]) {
      const bytes = Buffer.from(JSON.stringify(body(ids)));
      assert.equal(read(bytes).write(target), bytes);
    }
  });
}

test('ids of other characters are fitted for messages, and kept where the upstream may have made them', () => {
  const ids = ['functions.f:0', 'functions.f:1', 'functions_f_0'];
  const { read, body, sent } = SHAPES['messages'] as (typeof SHAPES)[string];
  const fitted = [...write(read, JSON.stringify(body(ids))).matchAll(sent)].map(([, id]) => id ?? '');
  for (const id of fitted) assert.match(id, FITS);
  assert.deepEqual([new Set(fitted).size, fitted[2]], [3, 'functions_f_0']);
  for (const name of ['chat', 'responses']) {
    const shape = SHAPES[name] as (typeof SHAPES)[string];
    const bytes = Buffer.from(JSON.stringify(shape.body(ids)));
    assert.equal(shape.read(bytes).write(target), bytes);
  }
});

test('all but the ids keeps its bytes, also what arguments and texts hold', () => {
  const call = `{"type" : "tool_use","id":"a.b","name":"f","input":{"tool_use_id":"a.b","big":12345678901234567890}}`;
  const result = '{"type":"tool_result", "tool_use_id" : "a.b","content":"id a.b \\u00e9"}';
  const text = `{"model":"m","max_tokens":5,"messages":[{"role":"assistant","content":[${call}]},{"role":"user","content":[${result}]}],"x":1.0}`;
  const sent = write(readMessages, text);
  const id = /"id":"(.*?)"/.exec(sent)?.[1] ?? '';
  assert.match(id, FITS);
  assert.equal(
    sent,
    text.replace('"id":"a.b"', `"id":"${id}"`).replace('"tool_use_id" : "a.b"', `"tool_use_id" : "${id}"`),
  );
});

test('ids are fitted beside proofs of other protocols that are left out', () => {
  const { read, body } = SHAPES['messages'] as (typeof SHAPES)[string];
  const { messages, ...rest } = body(['a.b']) as { messages: { content: object[] }[] };
  messages[1]?.content.unshift({ type: 'thinking', thinking: 't', signature: 'tg1.openai-chat.S' });
  const sent = write(read, JSON.stringify({ ...rest, messages }));
  assert.ok(!sent.includes('tg1.') && !sent.includes('a.b'));
});
