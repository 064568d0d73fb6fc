// Calls of tools and their results, one, several, and after reasoning that must come back with them.
import assert from 'node:assert/strict';
import type { Cell, Scenario } from '../cell.ts';
import { LOW_BUDGET, type Question, type Seen, type ToolOffer } from '../driver.ts';

const weather: ToolOffer = {
  name: 'get_weather',
  description: 'The weather in a city',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string', description: 'Its name' }, days: { type: 'integer' } },
    required: ['city', 'days'],
  },
};
const time: ToolOffer = {
  name: 'get_time',
  description: 'The time in a zone',
  parameters: { type: 'object', properties: { zone: { type: 'string' } }, required: ['zone'] },
};
const weatherCall = { name: 'get_weather', arguments: { city: 'sample city', days: 1 } };
const timeCall = { name: 'get_time', arguments: { zone: 'sample zone' } };

export const tools: Scenario = {
  name: 'tools round trip',
  asserts: 'definition, call and result arrive, the result under the id of its call; the answer follows',
  async run(cell) {
    await roundTrip(cell, { prompt: 'How is the weather in Rome?', tools: [weather] }, ['Sunny, 21 degrees']);
    return 'ok';
  },
};

export const parallel: Scenario = {
  name: 'parallel tools',
  asserts: 'two calls in one turn, whole and in order, each with its own id and result',
  async run(cell) {
    const question = { prompt: 'Ask get_weather and get_time.', tools: [weather, time] };
    const first = await roundTrip(cell, question, ['Sunny, 21 degrees', 'Half past nine']);
    assert.equal(first.calls.length, 2);
    assert.equal(new Set(first.calls.map(({ id, name }) => id ?? name)).size, 2);
    return 'ok';
  },
};

const THOUGHTS = 7;
/** One effort in the terms of every protocol; in tokens, the budget that stands for the word. */
const LOW: readonly unknown[] = ['low', 'LOW', LOW_BUDGET];

export const reasoning: Scenario = {
  name: 'reasoning',
  asserts: 'the effort arrives, shown reasoning is seen and counted, its proof comes back with the result of a tool',
  async run(cell) {
    const { upstream } = cell;
    const prompt = `Think about the weather. [[reasoning ${THOUGHTS}]]`;
    const first = await roundTrip(cell, { prompt, tools: [weather], reasons: true }, ['Sunny, 21 degrees']);
    for (const { effort } of cell.received) assert.ok(LOW.includes(effort), String(effort));
    if (upstream.countsReasoning && cell.client.countsReasoning) assert.equal(first.usage?.reasoning, THOUGHTS);
    if (!upstream.showsReasoning) {
      assert.equal(first.reasoning, '');
      return 'counted';
    }
    assert.equal(first.reasoning, 'the sandbox keeps talking until told to');
    assert.equal(cell.lastReceived.signatures.length, 1);
    return 'ok';
  },
};

/** Asks, answers the calls, and gets the words that follow. Resolves with what was seen first. */
async function roundTrip(cell: Cell, question: Question, results: string[]): Promise<Seen> {
  const offered = question.tools ?? [];
  const first = await cell.succeed(question);
  const wanted = offered.length === 1 ? [weatherCall] : [weatherCall, timeCall];
  assert.deepEqual(
    first.calls.map(({ name, arguments: given }) => ({ name, arguments: given })),
    wanted,
  );
  assert.equal(first.finish, 'calls');
  assert.deepEqual(
    cell.lastReceived.tools,
    offered.map(({ name, parameters }) => ({ name, parameters })),
  );
  const second = await cell.succeed({ ...question, after: { answer: first, results } });
  assert.match(second.text, /^The tool answered: /);
  assert.ok(second.text.includes(results.at(-1) ?? ''), second.text);
  assert.equal(second.finish, 'stop');
  checkReceived(cell, wanted, results);
  return first;
}

function checkReceived(cell: Cell, wanted: object[], results: string[]): void {
  const { calls, results: received } = cell.lastReceived;
  assert.deepEqual(
    calls.map(({ name, arguments: given }) => ({ name, arguments: given })),
    wanted,
  );
  assert.deepEqual(
    received.map(({ id }) => id),
    calls.map(({ id }) => id),
  );
  assert.equal(received.length, results.length);
  for (const [index, { text }] of received.entries()) assert.ok(text.includes(results[index] ?? ''), text);
}
