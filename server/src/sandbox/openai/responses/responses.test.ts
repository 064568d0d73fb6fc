import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startSandbox } from '../../server.ts';
import { call, type CallOptions, readTypedEvents } from '../../test-client.ts';

let ahead = 0;
const sandbox = await startSandbox({ now: () => Date.now() + ahead });
after(() => sandbox.stop());

type Item = { type: string; id: string; name?: string; call_id?: string; content?: { text: string }[] };
type Response = {
  id: string;
  status: string;
  output: Item[];
  usage: Record<string, number>;
  incomplete_details: unknown;
};
type ErrorBody = { error: { param: string; code: string } };

const path = '/responses';
const ask = (fields: object, options: CallOptions = {}) =>
  call(sandbox, { model: 'sandbox-chat', input: 'Hello', ...fields }, { path, ...options });
const respond = async (fields: object): Promise<Response> => {
  const got = await ask(fields);
  assert.equal(got.status, 200, got.text);
  return JSON.parse(got.text) as Response;
};
const reach = (id: string, method: string, rest = '', key = 'sandbox') =>
  call(sandbox, {}, { path: `${path}/${id}${rest}`, method, key });
const textOf = ({ output }: Response): string => output.at(-1)?.content?.[0]?.text ?? '';
const weather = { type: 'function', name: 'get_weather', parameters: { type: 'object', properties: { a: {} } } };

test('a whole response with instructions and usage', async () => {
  const response = await respond({ instructions: 'Be brief.' });
  assert.match(response.id, /^resp_\w+$/);
  assert.equal(response.status, 'completed');
  assert.match(textOf(response), /^You said: Hello\. .*Be brief\./);
  const { input_tokens: input = 0, output_tokens: output = 0 } = response.usage;
  assert.ok(input > 0 && output > 0);
  assert.partialDeepStrictEqual(response.usage, {
    total_tokens: input + output,
    input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
    output_tokens_details: { reasoning_tokens: 0 },
  });
});

test('a stream has the typed events in order, numbered, and says the same', async () => {
  const whole = await respond({});
  const events = readTypedEvents((await ask({ stream: true })).text);
  const types = events.map(({ event }) => event);
  assert.deepEqual(
    types.filter((type, index) => type !== types[index - 1]),
    [
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ],
  );
  assert.ok(events.every(({ event, data }, index) => data['type'] === event && data['sequence_number'] === index));
  const deltas = events.filter(({ event }) => event === 'response.output_text.delta');
  assert.equal(deltas.map(({ data }) => data['delta']).join(''), textOf(whole));
  const last = events.at(-1)?.data['response'] as Response;
  assert.deepEqual([textOf(last), last.usage], [textOf(whole), whole.usage]);
});

test('functions are called, streamed and answered through previous_response_id', async () => {
  const first = await respond({ input: 'weather?', tools: [weather] });
  const [item] = first.output;
  assert.partialDeepStrictEqual(item, { type: 'function_call', name: 'get_weather', status: 'completed' });
  const answer = { type: 'function_call_output', call_id: item?.call_id, output: 'sunny' };
  const second = await respond({ previous_response_id: first.id, input: [answer], tools: [weather] });
  assert.match(textOf(second), /^The tool answered: sunny/);
  assert.ok((second.usage['input_tokens'] ?? 0) > 10);
  const open = await ask({ previous_response_id: first.id, input: 'and?' });
  assert.equal(open.status, 400);
  const streamed = await ask({ input: 'weather?', tools: [weather], stream: true });
  const types = new Set(readTypedEvents(streamed.text).map(({ event }) => event));
  assert.ok(types.has('response.function_call_arguments.delta') && types.has('response.function_call_arguments.done'));
});

test('previous_response_id must be known to this sandbox and key', async () => {
  const { id } = await respond({});
  const { id: unstored } = await respond({ store: false });
  const codeOf = async (previous: string, key: string) => {
    const got = await ask({ previous_response_id: previous }, { key });
    return got.status === 200 ? 200 : (JSON.parse(got.text) as ErrorBody).error.code;
  };
  assert.equal(await codeOf(id, 'sandbox'), 200);
  for (const [previous, key] of [
    [id, 'other'],
    [unstored, 'sandbox'],
    ['resp_x', 'sandbox'],
  ] as const) {
    assert.equal(await codeOf(previous, key), 'previous_response_not_found');
  }
});

test('a stored response is read, its input listed, and deleted', async () => {
  const { id } = await respond({
    input: [
      { role: 'user', content: 'one' },
      { role: 'assistant', content: 'two' },
      { role: 'user', content: [{ type: 'input_text', text: 'three' }] },
    ],
  });
  assert.equal((JSON.parse((await reach(id, 'GET')).text) as Response).id, id);
  assert.equal((await reach(id, 'GET', '', 'other')).status, 404);
  type List = { data: Item[]; has_more: boolean };
  const list = JSON.parse((await reach(id, 'GET', '/input_items?limit=2')).text) as List;
  assert.deepEqual([list.data[0]?.content?.[0]?.text, list.data.length, list.has_more], ['three', 2, true]);
  const rest = JSON.parse((await reach(id, 'GET', `/input_items?after=${list.data[1]?.id}`)).text) as List;
  assert.deepEqual([rest.data[0]?.content?.[0]?.text, rest.has_more], ['one', false]);
  assert.equal((await reach(id, 'POST', '/cancel')).status, 400);
  assert.deepEqual(JSON.parse((await reach(id, 'DELETE')).text), { id, object: 'response', deleted: true });
  assert.equal((await reach(id, 'GET')).status, 404);
});

test('a background response is queued, runs, ends, or is cancelled', async () => {
  const { id, status } = await respond({ background: true });
  const statusOf = async (method = 'GET', rest = '', which = id) =>
    (JSON.parse((await reach(which, method, rest)).text) as Response).status;
  assert.deepEqual([status, await statusOf()], ['queued', 'in_progress']);
  ahead += 5000;
  assert.equal(await statusOf(), 'completed');
  assert.equal(await statusOf('POST', '/cancel'), 'completed');
  const { id: other } = await respond({ background: true });
  assert.equal(await statusOf('POST', '/cancel', other), 'cancelled');
  ahead += 5000;
  assert.equal(await statusOf('GET', '', other), 'cancelled');
});

test('too few tokens leave it incomplete; chosen faults have their events', async () => {
  const short = await respond({ max_output_tokens: 16 });
  assert.deepEqual([short.status, short.incomplete_details], ['incomplete', { reason: 'max_output_tokens' }]);
  const last = async (directive: string) => {
    const events = readTypedEvents((await ask({ stream: true }, { directive })).text);
    return [events.length, events.at(-1)?.event];
  };
  assert.deepEqual(await last('error-event-2'), [7, 'error']);
  assert.deepEqual(await last('error-event-0'), [1, 'error']);
  assert.equal((await last('error-finish'))[1], 'response.failed');
  assert.equal((await last('no-done'))[1], 'response.output_item.done');
  assert.deepEqual(await last('end-3'), [7, 'response.output_text.delta']);
});

test('only the last 1,000 responses are kept', async () => {
  const { createResponseMemory } = await import('./response-memory.ts');
  const memory = createResponseMemory();
  const rest = { key: 'k', response: {}, inputItems: [], conversation: [], background: false, doneAt: 0 };
  const keep = (id: string, bytes = 1) => memory.keep({ ...rest, id, bytes, isCancelled: false });
  for (let index = 0; index < 1001; index += 1) keep(`r${index}`);
  assert.deepEqual([memory.find('k', 'r0'), memory.find('k', 'r1')?.id], [undefined, 'r1']);
  keep('big', 65 * 1024 * 1024);
  assert.deepEqual([memory.find('k', 'r1000'), memory.find('k', 'big')?.id], [undefined, 'big']);
});

const userPart = (part: object) => ({ input: [{ role: 'user', content: [part] }] });
const refusals: [object, string][] = [
  [{ input: undefined }, 'input'],
  [{ input: [] }, 'input'],
  [{ input: [{ role: 'robot', content: '' }] }, 'input[0].role'],
  [{ input: [{ role: 'user' }] }, 'input[0].content'],
  [userPart({ type: 'text', text: '' }), 'input[0].content[0].type'],
  [{ input: [{ role: 'assistant', content: [{ type: 'input_text', text: '' }] }] }, 'input[0].content[0].type'],
  [{ input: [{ type: 'function_call_output', call_id: 'x', output: '' }] }, 'input'],
  [{ input: [{ type: 'function_call', call_id: 'x', name: 'f' }] }, 'input[0].arguments'],
  [{ input: [{ type: 'mystery' }] }, 'input[0].type'],
  [{ max_output_tokens: 15 }, 'max_output_tokens'],
  [{ tools: [{ type: 'function', function: { name: 'f' } }] }, 'tools[0].name'],
  [{ tool_choice: { type: 'function', name: 'f' } }, 'tool_choice'],
  [{ text: { format: { type: 'json_schema', schema: {} } } }, 'text.format.name'],
  [{ background: true, store: false }, 'store'],
];
for (const [fields, param] of refusals) {
  test(`400 on ${param} for ${JSON.stringify(fields)}`, async () => {
    const got = await ask(fields);
    assert.equal(got.status, 400);
    assert.equal((JSON.parse(got.text) as ErrorBody).error.param, param);
  });
}
