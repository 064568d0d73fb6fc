// Words in and out: a plain question, instructions, a picture, an answer by a schema, a stop sequence, a limit.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { encodePng } from './picture.ts';
import type { Cell, Scenario, Verdict } from '../cell.ts';

export const text: Scenario = {
  name: 'text',
  asserts: 'the words arrive whole, the finish is a stop, the usage is the one charged',
  async run(cell) {
    const seen = await cell.succeed({ prompt: 'Hello there, Zoë 🙂' });
    assert.match(seen.text, /^You said: Hello there, Zoë 🙂 \(cell-[\d-]+\)\. I am the sandbox/);
    assert.equal(seen.finish, 'stop');
    assert.deepEqual(seen.calls, []);
    return 'ok';
  },
};

export const system: Scenario = {
  name: 'system',
  asserts: "the instructions stand where the upstream's protocol has them, and the model keeps to them",
  async run(cell) {
    const instructions = 'Answer like a lighthouse keeper.';
    const seen = await cell.succeed({ prompt: 'Who are you?', system: instructions });
    assert.match(seen.text, /I keep to your instructions: Answer like a lighthouse keeper\./);
    assert.equal(cell.lastReceived.system, instructions);
    return 'ok';
  },
};

export const image: Scenario = {
  name: 'image',
  asserts: 'the bytes of a picture arrive unchanged, once',
  async run(cell) {
    const picture = encodePng(cell.client.name);
    const seen = await cell.succeed({ prompt: 'What is on this picture?', picture });
    assert.match(seen.text, /What is on this picture\?/);
    assert.deepEqual(cell.lastReceived.pictures.map(hash), [hash(picture)]);
    return 'ok';
  },
};

const hash = (base64: string): string => createHash('sha256').update(Buffer.from(base64, 'base64')).digest('hex');

const REPORT = {
  type: 'object',
  properties: {
    city: { type: 'string', description: 'Where' },
    days: { type: 'integer' },
    tags: { type: 'array', items: { type: 'string', enum: ['dry', 'wet'] } },
  },
  required: ['city', 'days', 'tags'],
  additionalProperties: false,
};

export const structured: Scenario = {
  name: 'structured output',
  asserts: 'the JSON schema arrives as it is, and the answer fits it',
  async run(cell) {
    const seen = await cell.succeed({ prompt: 'Report on the climate.', schema: REPORT });
    assert.deepEqual(JSON.parse(seen.text), { city: 'sample city', days: 1, tags: ['dry'] });
    assert.deepEqual(cell.lastReceived.schema, REPORT);
    return 'ok';
  },
};

const COUNT = { prompt: 'Count: one two HALT three', stop: 'HALT' };

export const stop: Scenario = {
  name: 'stop',
  asserts: 'the sequence ends the answer; where the upstream has no such field, it is named, and 400 when strict',
  async run(cell) {
    const { client, upstream } = cell;
    const isForeign = client.name === 'responses';
    if (!isForeign && upstream.hasStop) {
      const seen = await cell.succeed(COUNT);
      assert.match(seen.text, /^You said: Count: one two $/);
      assert.equal(seen.finish, 'stop');
      assert.deepEqual(cell.lastReceived.stop, ['HALT']);
      return 'ok';
    }
    if (isForeign && upstream.name === 'openai responses') {
      await cell.succeed(COUNT);
      assert.deepEqual(cell.lastReceived.stop, ['HALT']);
      return 'passed on';
    }
    return checkNamed(cell);
  },
};

/** Said in the head of the answer, and refused when the caller wants all or nothing. */
async function checkNamed(cell: Cell): Promise<Verdict> {
  const { stopField } = cell.client;
  const seen = await cell.ask(COUNT);
  await cell.checkAnswered(seen);
  assert.match(seen.text, /HALT three/);
  assert.deepEqual(seen.dropped, [stopField]);
  assert.equal(cell.lastReceived.stop, undefined);
  const asked = cell.received.length;
  const { error } = await cell.ask(COUNT, { strict: true });
  assert.equal(error?.status, 400);
  assert.ok(error.message.includes(`'${stopField}'`), error.message);
  assert.equal(cell.received.length, asked, 'a refused request was sent');
  return `named: ${stopField}`;
}

/** The least that every upstream takes. */
const LIMIT = 16;

export const maxTokens: Scenario = {
  name: 'max tokens',
  asserts: 'the limit arrives, the answer ends at it, and the finish says so',
  async run(cell) {
    const seen = await cell.succeed({ prompt: 'Tell me a long story.', maxTokens: LIMIT });
    assert.equal(seen.finish, 'length');
    assert.equal(seen.usage?.output, LIMIT);
    assert.equal(cell.lastReceived.maxTokens, LIMIT);
    assert.match(seen.text, /^You said: Tell me a long story\./);
    return 'ok';
  },
};
