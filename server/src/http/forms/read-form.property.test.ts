import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { FormPart } from '../../neutral/form.ts';
import { readForm } from './read-form.ts';
import {
  bytesOf,
  collect,
  formLimits,
  leftovers,
  type ModelForm,
  type ModelPart,
  sentIn,
  writtenForm,
} from './testing/sent-form.ts';

const NAMES = ['model', 'file', 'image[]', 'prompt', 'na me', 'größe', 'metadata[media][0][type]', 'constructor'];
const boundaries = fc.constantFrom('b', '----WebKitFormBoundaryX7', "a'()+_,-./:=? z", '-', '--', 'x'.repeat(70));
// Values made of the pieces of boundaries, as well as of any bytes.
const values = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }).map((text) => Buffer.from(text)),
  fc
    .array(fc.constantFrom('\r', '\n', '-', '--', '--b', '\r\n', '\r\n-', '\r\n\r\n', 'b', 'x', '----WebKit'))
    .map((pieces) => Buffer.from(pieces.join(''))),
);
const texts: fc.Arbitrary<ModelPart> = fc.record({ name: fc.constantFrom(...NAMES), value: values });
const files: fc.Arbitrary<ModelPart> = fc
  .record({
    name: fc.constantFrom(...NAMES),
    filename: fc.constantFrom('', 'a.png', 'ü "x".wav', 'a;b=c.mp3'),
    contentType: fc.constantFrom('image/png', 'audio/webm; codecs=opus', 'application/octet-stream'),
    value: fc.oneof(
      values,
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    ),
  })
  .filter(({ filename, value }) => filename !== '' || value.length > 0);
const parts = fc.oneof(texts, files);
const forms: fc.Arbitrary<ModelForm> = fc
  .record({
    boundary: boundaries,
    preamble: fc.constantFrom('', '\r\n', 'A preamble.\r\n'),
    parts: fc.array(parts, { maxLength: 6 }),
    epilogue: fc.constantFrom('', '\r\n', '\r\nAn epilogue.\r\n--'),
  })
  .filter(({ boundary, parts }) =>
    parts.every(({ value }) => !`\n${value.toString('latin1')}`.includes(`\n--${boundary}`)),
  )
  .filter(({ boundary, epilogue }) => !epilogue.includes(`\n--${boundary}`));
const cutsIn = fc.array(fc.nat({ max: 1500 }), { maxLength: 40 });
const SMALL_MEMORY = [0, 64, 1024 * 1024];

const factsOf = ({ name, filename, contentType }: FormPart | ModelPart): unknown => [name, filename, contentType];

describe('any form, cut anywhere', () => {
  test('has the parts and bytes that were sent, from memory and from the disk', async () => {
    const property = fc.asyncProperty(forms, cutsIn, fc.constantFrom(...SMALL_MEMORY), async (model, cuts, memory) => {
      const limits = formLimits({ memoryBytes: memory });
      const body = bytesOf(model);
      const form = await readForm(
        sentIn(
          model.boundary,
          body,
          cuts.filter((cut) => cut < body.length),
        ).message,
        limits,
      );
      assert.deepEqual(form.parts.map(factsOf), model.parts.map(factsOf));
      for (const [index, part] of form.parts.entries()) {
        assert.deepEqual(await form.read(part.valueStart, part.valueEnd), model.parts[index]?.value);
        assert.equal(form.text(part), model.parts[index]?.value.toString('utf8'));
      }
      const again = form.rewrite({});
      assert.deepEqual(await collect(again), writtenForm(model.parts, again));
      await form.discard();
      assert.deepEqual(await leftovers(limits.spoolFolder), []);
    });
    await fc.assert(property, { numRuns: 300 });
  });

  test('one byte at a time, and at each single offset', async () => {
    const value = Buffer.from('\r\n--boundar\r\n--\r\n-\r\n--bounda');
    const model = {
      boundary: 'boundary',
      preamble: 'x\r\n',
      epilogue: '\r\n',
      parts: [
        { name: 'a', value },
        { name: 'b', value },
      ],
    };
    const body = bytesOf(model);
    const expected = model.parts.map(() => value.toString());
    const all = [...body.keys()];
    for (const cuts of [all, ...all.map((cut) => [cut])]) {
      const form = await readForm(sentIn('boundary', body, cuts).message, formLimits());
      assert.deepEqual(
        form.parts.map((part) => form.text(part)),
        expected,
      );
    }
  });

  test('cut off before its last boundary is always refused', async () => {
    const property = fc.asyncProperty(forms, fc.nat(), async (model, at) => {
      const body = bytesOf({ ...model, epilogue: '' });
      const cut = body.subarray(0, at % body.length);
      await assert.rejects(readForm(sentIn(model.boundary, cut).message, formLimits()), {
        message: 'The form ends too early.',
      });
    });
    await fc.assert(property, { numRuns: 200 });
  });
});

/** The same change on the model. */
function changed(model: ModelForm, set: Record<string, string>, remove: string[]): ModelPart[] {
  const left = new Map(Object.entries(set).map(([name, value]) => [name, { name, value: Buffer.from(value) }]));
  const kept: ModelPart[] = [];
  for (const part of model.parts) {
    if (remove.includes(part.name)) continue;
    const replaced = Object.hasOwn(set, part.name) ? left.get(part.name) : part;
    left.delete(part.name);
    if (replaced !== undefined) kept.push(replaced);
  }
  return [...kept, ...left.values()];
}

test('a rewritten form is the form with these values: set once, missing ones added, others removed', async () => {
  const changes = fc.record({
    set: fc.dictionary(
      fc.constantFrom('model', 'prompt', 'größe', 'new one'),
      fc.constantFrom('', 'm-1', 'é'.repeat(400)),
    ),
    remove: fc.uniqueArray(fc.constantFrom('file', 'image[]', 'prompt', 'none')),
  });
  const property = fc.asyncProperty(
    forms,
    changes,
    fc.constantFrom(...SMALL_MEMORY),
    async (model, { set, remove }, memory) => {
      const limits = formLimits({ memoryBytes: memory });
      const form = await readForm(sentIn(model.boundary, bytesOf(model)).message, limits);
      const body = form.rewrite({ set, remove });
      const expected = writtenForm(changed(model, set, remove), body);
      assert.deepEqual(await collect(body), expected);
      assert.deepEqual(await collect(body), expected, 'opened again');
      assert.equal(body.length, expected.length);
      assert.notEqual(form.rewrite({}).contentType, body.contentType, 'a boundary is used once');
      await form.discard();
    },
  );
  await fc.assert(property, { numRuns: 300 });
});
