import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startSandbox } from '../../server.ts';
import { call } from '../../test-client.ts';

const sandbox = await startSandbox();
after(() => sandbox.stop());

type Completion = {
  object: string;
  choices: { text: string; index: number; finish_reason: string | null }[];
  usage?: Record<string, number> | null;
};
const model = 'gpt-3.5-turbo-instruct';
const ask = (fields: object) => call(sandbox, { model, prompt: 'Hello', ...fields }, { path: '/completions' });
const complete = async (fields: object) => {
  const got = await ask(fields);
  assert.equal(got.status, 200, got.text);
  return JSON.parse(got.text) as Completion;
};

test('without max_tokens the answer has 16 tokens', async () => {
  const { object, choices, usage } = await complete({});
  assert.equal(object, 'text_completion');
  assert.equal(choices[0]?.finish_reason, 'length');
  assert.ok(choices[0]?.text.startsWith('You said: Hello.'));
  assert.partialDeepStrictEqual(usage, { prompt_tokens: 1, completion_tokens: 16, total_tokens: 17 });
});

test('several prompts, n, echo, stop and prompts of tokens', async () => {
  const several = await complete({ prompt: ['one', 'two words', [5, 6, 7]], n: 2, max_tokens: 4, echo: true });
  assert.deepEqual(
    several.choices.map(({ index }) => index),
    [0, 1, 2, 3, 4, 5],
  );
  assert.ok(several.choices[2]?.text.startsWith('two wordsYou said: two'));
  assert.partialDeepStrictEqual(several.usage, { prompt_tokens: 6, completion_tokens: 24 });
  const stopped = await complete({ max_tokens: 100, stop: ' I am' });
  assert.deepEqual([stopped.choices[0]?.text, stopped.choices[0]?.finish_reason], ['You said: Hello.', 'stop']);
  const echoed = await complete({ max_tokens: 0, echo: true });
  assert.equal(echoed.choices[0]?.text, 'Hello');
});

test('a stream says the same as the whole answer', async () => {
  const fields = { prompt: ['a', 'b'], max_tokens: 9 };
  const whole = await complete(fields);
  const got = await ask({ ...fields, stream: true, stream_options: { include_usage: true } });
  const blocks = got.text.trim().split('\n\n');
  assert.equal(blocks.pop(), 'data: [DONE]');
  const events = blocks.map((block) => JSON.parse(block.slice('data: '.length)) as Completion);
  const textOf = (wanted: number) =>
    events.map(({ choices: [choice] }) => (choice?.index === wanted ? choice.text : '')).join('');
  assert.deepEqual(
    [textOf(0), textOf(1)],
    whole.choices.map(({ text }) => text),
  );
  assert.deepEqual(events.at(-1)?.usage, whole.usage);
  assert.deepEqual(events.at(-1)?.choices, []);
  assert.ok(events.every(({ object }) => object === 'text_completion'));
});

const refusals: [object, string][] = [
  [{ prompt: 5 }, 'prompt'],
  [{ prompt: [] }, 'prompt'],
  [{ prompt: ['a', {}] }, 'prompt[1]'],
  [{ n: 129 }, 'n'],
  [{ n: 3, best_of: 2 }, 'best_of'],
  [{ max_tokens: -1 }, 'max_tokens'],
  [{ echo: 'yes' }, 'echo'],
  [{ stream_options: {} }, 'stream_options'],
  [{ model: undefined }, 'model'],
];
for (const [fields, param] of refusals) {
  test(`400 on ${param} for ${JSON.stringify(fields)}`, async () => {
    const got = await ask(fields);
    assert.equal(got.status, 400);
    assert.equal((JSON.parse(got.text) as { error: { param: string } }).error.param, param);
  });
}
