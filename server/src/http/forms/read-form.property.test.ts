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
} from './testing/sent-form.ts';

const NAMES = ['model', 'file', 'image[]', 'prompt', 'na"me', 'n\\ame', 'größe', 'a\r\nb'];
const boundaries = fc.constantFrom('b', '----WebKitFormBoundaryX7', "a'()+_,-./:=? z", '-', '--', 'x'.repeat(70));
// Values made of the pieces of boundaries, as well as of any bytes.
const values = fc.oneof(
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  fc
    .array(fc.constantFrom('\r', '\n', '-', '--', '--b', '\r\n', '\r\n-', '\r\n\r\n', 'b', 'x', '----WebKit'))
    .map((pieces) => Buffer.from(pieces.join(''))),
);
const parts: fc.Arbitrary<ModelPart> = fc.record({
  name: fc.constantFrom(...NAMES),
  filename: fc.option(fc.constantFrom('', 'a.png', 'ü "x".wav', 'C:\\a;b.mp3'), { nil: undefined }),
  contentType: fc.option(fc.constantFrom('image/png', 'text/plain; charset=utf-8'), { nil: undefined }),
  value: values,
});
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

const factsOf = ({ name, filename, contentType }: FormPart | ModelPart): unknown => ({ name, filename, contentType });

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
      assert.equal(form.length, body.length);
      assert.deepEqual(form.parts.map(factsOf), model.parts.map(factsOf));
      for (const [index, part] of form.parts.entries()) {
        assert.deepEqual(await form.read(part.valueStart, part.valueEnd), model.parts[index]?.value);
        assert.equal(form.text(part), model.parts[index]?.value.toString('utf8'));
      }
      assert.deepEqual(await collect(form.rewrite({})), body);
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
function changed(model: ModelForm, set: Record<string, string>, remove: string[]): ModelForm {
  const kept = model.parts.filter(({ name }) => !remove.includes(name));
  const parts = kept.map((part) => {
    const value = set[part.name];
    return value === undefined ? part : { ...part, value: Buffer.from(value) };
  });
  for (const [name, value] of Object.entries(set))
    if (!parts.some((part) => part.name === name)) parts.push({ name, value: Buffer.from(value) });
  return { ...model, parts };
}

test('a rewritten form is the form with these values written anew: all doubles set, missing ones added, others removed', async () => {
  const changes = fc.record({
    set: fc.dictionary(
      fc.constantFrom('model', 'prompt', 'größe', 'new "one"'),
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
      const expected = bytesOf(changed(model, set, remove));
      assert.deepEqual(await collect(body), expected);
      assert.deepEqual(await collect(body), expected, 'opened again');
      assert.equal(body.length, expected.length);
      await form.discard();
    },
  );
  await fc.assert(property, { numRuns: 300 });
});
