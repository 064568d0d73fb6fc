// Bodies that are not what the spec asks for: the contract's 4xx that names the field, no charge, no upstream call, the same
// process afterwards (issue 2, Bad input).
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { chat, postChat, readAnswer, readError } from './support/chat.ts';
import { balanceOf, ledgerOf } from './support/money.ts';
import { watchAnswers } from './support/watch-answers.ts';
import { makeWorld, suiteGateway, type World } from './support/world.ts';

const MEGABYTE = 1024 * 1024;
const messages = '"messages":[{"role":"user","content":"x"}]';

/** Wrong values for each field of spec 2.10 that has a type. */
const wrongTypes: Record<string, unknown[]> = {
  model: [1, true, ['x'], { a: 1 }, '', null],
  messages: ['text', 1, true, {}, []],
  prompt: [1, true, {}],
  stream: ['true', 1, 0, [], {}],
  stream_options: [true, 'x', 1, []],
  'stream_options.include_usage': ['yes', 1, [], {}],
  max_tokens: ['10', 0, -1, 1.5, 1e300, true, [], {}],
  max_completion_tokens: ['10', 0, -1, 1.5, true, [], {}],
  n: ['2', 0, -1, 1.5, 129, true],
  temperature: ['hot', true, [], {}],
  top_p: ['0.5', true, [], {}],
  top_k: ['4', true, [], {}],
  stop: [1, true, {}],
  tools: ['x', 1, {}, true],
  tool_choice: [1, true, []],
  parallel_tool_calls: ['yes', 1, []],
  response_format: ['json', 1, []],
  reasoning_effort: [1, true, [], {}],
  audio: ['x', 1, []],
  metadata: ['x', 1, []],
};

describe('bad bodies', { concurrency: 8 }, async () => {
  const gateway = await suiteGateway({ settings: { TOLLGATE_MAX_BODY_MB: '1' } });
  watchAnswers(gateway);
  const { pid } = process;
  after(() => assert.equal(process.pid, pid));

  /** Each body must be answered with this error; afterwards nothing has moved and the world still works. */
  async function assertRefused(
    world: World,
    bodies: Iterable<string | Buffer>,
    { status = 400, code = 'invalid_request', message = /./ } = {},
  ): Promise<void> {
    const before = await balanceOf(gateway, world.account.id);
    for (const body of bodies) {
      const response = await postChat(world, body);
      const error = await readError(response, status, code).catch((cause: unknown) => {
        throw new Error(`for ${String(body).slice(0, 200)}`, { cause });
      });
      assert.match(error.message, message, String(body).slice(0, 200));
    }
    assert.equal(await balanceOf(gateway, world.account.id), before);
    assert.deepEqual(
      (await ledgerOf(gateway, { account_id: world.account.id })).map(({ kind }) => kind),
      ['credit'],
    );
    assert.equal(world.calls().length, 0);
    await readAnswer(await chat(world, 'still alive'));
  }

  test('malformed JSON', async (t) => {
    const world = await makeWorld(gateway, t);
    const good = `{"model":"${world.model}",${messages}}`;
    await assertRefused(world, [
      '',
      ' ',
      '{',
      'null',
      '[]',
      '"text"',
      '12',
      good.slice(0, -1),
      `${good}x`,
      `${good}${good}`,
      good.replace(',', ',,'),
      good.replace('}]}', '}],}'),
      good.replace('"model"', "'model'"),
      good.replace('"model"', 'model'),
      good.replace('"x"', '"\n"'),
      good.replace('"x"', '"\\q"'),
      good.replace('"x"', '"\\u12"'),
      good.replace('"x"', 'NaN'),
      good.replace('"x"', '01'),
      good.replace('"x"', '1.'),
      good.replace('"x"', 'undefined'),
      good.replace('"x"', '"x" // comment'),
      Buffer.concat([Buffer.from('{"model":"'), Buffer.from([0xff, 0xfe]), Buffer.from(`",${messages}}`)]),
      Buffer.from(good, 'utf16le'),
      `\ufeff${good}x`,
    ]);
  });

  test('text that is not UTF-8 anywhere in the body', async (t) => {
    const world = await makeWorld(gateway, t);
    const body = `{"model":"${world.model}","messages":[{"role":"user","content":"~"}]}`;
    const [before = '', after = ''] = body.split('~');
    const spoilt = [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0xaf], [0xf8, 0x88, 0x80, 0x80, 0x80]];
    await assertRefused(
      world,
      spoilt.map((bytes) => Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)])),
    );
  });

  test('deep nesting, in known and unknown fields', async (t) => {
    const world = await makeWorld(gateway, t);
    const nest = (open: string, close: string, depth: number): string => open.repeat(depth) + close.repeat(depth);
    const bodies = [
      nest('[', ']', 100_000),
      `{"a":${nest('[', ']', 100_000)},"model":"${world.model}",${messages}}`,
      `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`,
      `{"model":"${world.model}","messages":${nest('[', ']', 20_000)}}`,
      '['.repeat(500_000),
    ];
    await assertRefused(world, bodies);
  });

  test('keys given twice that decide, also when spelled with escapes', async (t) => {
    const world = await makeWorld(gateway, t);
    const model = `"model":"${world.model}"`;
    await assertRefused(
      world,
      [
        `{${model},${messages},"model":"other"}`,
        `{${model},${messages},"mod\\u0065l":"other"}`,
        `{"\\u006d\\u006f\\u0064\\u0065\\u006c":"other",${model},${messages}}`,
        `{${model},${messages},"stream":false,"stream":true}`,
        `{${model},${messages},"stream":true,"str\\u0065am":false}`,
        `{${model},${messages},${messages}}`,
        `{${model},${messages},"max_tokens":1,"max_tokens":100000}`,
        `{${model},${messages},"max_completion_tokens":1,"max\\u005fcompletion_tokens":9}`,
        `{${model},${messages},"n":1,"n":100}`,
        `{${model},${messages},"stream":true,"stream_options":{},"stream_options":{"include_usage":true}}`,
        `{${model},${messages},"stream":true,"stream_options":{"include_usage":false,"include_usage":true}}`,
      ],
      { message: /model|stream|messages|max_|'n'|stream_options/ },
    );
  });

  test('keys that differ from deciding ones by case only', async (t) => {
    const world = await makeWorld(gateway, t);
    const model = `"model":"${world.model}"`;
    await assertRefused(world, [
      `{${model},${messages},"Model":"other"}`,
      `{${model},${messages},"STREAM":true}`,
      `{${model},${messages},"Max_Tokens":100000}`,
    ]);
  });

  test('values of the wrong type for every field of spec 2.10, each naming its field', async (t) => {
    const world = await makeWorld(gateway, t);
    for (const [field, values] of Object.entries(wrongTypes)) {
      const [name = '', inner] = field.split('.');
      const bodies = values.map((value) =>
        JSON.stringify({
          model: world.model,
          messages: [{ role: 'user', content: 'x' }],
          [name]: inner === undefined ? value : { [inner]: value },
        }),
      );
      for (const body of bodies) {
        const error = await readError(await postChat(world, body), 400, 'invalid_request').catch((cause: unknown) => {
          throw new Error(`for ${body}`, { cause });
        });
        assert.equal(error.param, field, body);
        assert.ok(error.message.includes(field), `${error.message} for ${body}`);
      }
    }
    await assertRefused(world, []);
  });

  test('model or messages missing, each by its name', async (t) => {
    const world = await makeWorld(gateway, t);
    await assertRefused(world, ['{}', `{${messages}}`, `{"model":null,${messages}}`], { message: /model/ });
    await assertRefused(
      await makeWorld(gateway, t),
      [`{"model":"${world.model}"}`, `{"model":"${world.model}","messages":null}`],
      { message: /messages/ },
    );
  });

  test('a body over the limit, announced or not, and one at the limit that passes (promise B-06, of bodies)', async (t) => {
    const world = await makeWorld(gateway, t);
    const frame = `{"model":"${world.model}",${messages},"pad":""}`;
    const sized = (bytes: number): Buffer =>
      Buffer.from(frame.replace('"pad":""', `"pad":"${'p'.repeat(bytes - frame.length)}"`));
    const tooLarge = { status: 413, code: 'body_too_large', message: /1 MB/ };
    await assertRefused(world, [sized(MEGABYTE + 1), sized(3 * MEGABYTE)], tooLarge);

    const chunked = await fetch(`${gateway.address}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${world.key}`, 'content-type': 'application/json' },
      body: new Blob([new Uint8Array(sized(3 * MEGABYTE))]).stream(),
      duplex: 'half',
    });
    await readError(chunked, 413, 'body_too_large');
    const atLimit = await postChat(world, sized(MEGABYTE));
    assert.equal(atLimit.status, 200, await atLimit.text());
  });

  test('null counts as absent wherever the spec has an optional field', async (t) => {
    const world = await makeWorld(gateway, t);
    const optional = Object.keys(wrongTypes).filter((name) => !/^model$|^messages$|\./.test(name));
    await readAnswer(await chat(world, 'x', Object.fromEntries(optional.map((name) => [name, null]))));
  });

  test('bodies of random bytes and random cuts of a good one never end the process (promise O-05)', async (t) => {
    const world = await makeWorld(gateway, t);
    const good = Buffer.from(
      JSON.stringify({ model: world.model, messages: [{ role: 'user', content: 'ü🙂"\\' }], stream: true, n: 1 }),
    );
    const bodies = Array.from({ length: 120 }, (_, index) => {
      const body = Buffer.from(good);
      if (index % 2 === 0) return body.subarray(0, 1 + ((index * 7) % (body.length - 1)));
      body[(index * 13) % body.length] = (index * 31) % 256;
      return body;
    });
    for (const body of bodies) {
      const response = await postChat(world, body);
      await response.text();
      assert.ok(response.status < 500, `${response.status} for ${body.toString('latin1')}`);
    }
    await readAnswer(await chat(world, 'still alive'));
  });
});
