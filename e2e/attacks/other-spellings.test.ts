// Names in other letters, or given twice: readers that compare without case, or take the first of two, would see another
// request than the one that was checked. What a channel leaves out stays out, what has no price is found, and nobody names
// what others made.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { postChat, readError } from '../support/chat.ts';
import { makeWorld, suiteGateway, type World } from '../support/world.ts';

describe('names in other letters', { concurrency: 4 }, async () => {
  const gateway = await suiteGateway();
  const messages = '"messages":[{"role":"user","content":"x"}]';
  const post = (world: World, fields: string, path = '/v1/chat/completions'): Promise<Response> =>
    postChat(world, `{"model":"${world.model}",${fields}}`, { path, headers: { 'anthropic-version': '2023-06-01' } });
  const sent = (world: World): string[] =>
    Object.keys(world.calls().at(-1)?.body ?? {}).filter((name) => !['model', 'messages'].includes(name));

  test('a field that a channel leaves out stays out in all of them (contract 3)', async (t) => {
    const world = await makeWorld(gateway, t, {
      channels: [{ options: { drop_fields: ['user', 'store', 'service_x'] } }],
    });
    for (const name of ['user', 'User', 'USER', 'u\\u0073er', 'u\u017fer', 'SERVICE_X']) {
      const response = await post(world, `${messages},"${name}":"me","seed":1`);
      assert.equal(response.status, 200, await response.text());
      assert.deepEqual(sent(world), ['seed'], name);
    }
  });

  test('a tool of the provider without a price is dropped in all of them, and where null follows (contract-2 9)', async (t) => {
    const world = await makeWorld(gateway, t, { model: { pass_unpriced: false } });
    for (const fields of [
      '"web_search_options":{}',
      '"Web_Search_Options":{}',
      '"web_\u017fearch_options":{}',
      '"web_search_options":{},"web_search_options":null',
      '"enable_search":true,"enable_search":false',
      '"tools":[{"web_search":{}}]',
    ]) {
      const response = await post(world, `${messages},${fields}`);
      assert.equal(response.status, 200, await response.text());
      assert.deepEqual(sent(world), [], fields);
      assert.match(response.headers.get('x-tollgate-dropped') ?? '', /search/, fields);
    }
  });

  test('a tool whose type can be read in two ways is refused where tools have a price or are dropped (contract-2 9)', async (t) => {
    const price = { unit: 'tokens', input: '1', output: '1', tools: { web_search: '0.01' } } as never;
    for (const model of [{ pass_unpriced: false }, { price }]) {
      const world = await makeWorld(gateway, t, { model });
      for (const type of ['"type":"web_search","type":"function"', '"type":"function","Type":"web_search"']) {
        const response = await post(world, `${messages},"tools":[{${type},"function":{"name":"f"}}]`);
        assert.equal((await readError(response, 400, 'invalid_request')).param, 'tools[0].type');
      }
      assert.equal(world.calls().length, 0);
    }
  });

  test('what others made cannot be named with letters that only some readers fold (contract-2 7)', async (t) => {
    const world = await makeWorld(gateway, t);
    for (const [path, fields] of [
      ['/v1/responses', '"input":"x","tools":[{"type":"file_search","vector_\u017ftore_ids":["vs_1"]}]'],
      ['/v1/responses', '"input":"x","tools":[{"type":"file_search","Vector_Store_Id\u017f":["vs_1"]}]'],
      ['/v1/messages', `"max_tokens":9,${messages},"container":{"skills":[{"\u017f\u212aill_id":"skill_1"}]}`],
      ['/v1/messages', `"max_tokens":9,${messages},"CONTAINER":"container_1"`],
    ] as const) {
      const response = await post(world, fields, path);
      assert.equal(response.status, 404, `${fields} -> ${await response.clone().text()}`);
    }
    assert.equal(world.calls().length, 0);
  });
});
