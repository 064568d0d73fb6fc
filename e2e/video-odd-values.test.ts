// Values that no database takes and refusals that look like success, on both stores.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { balanceOf } from './support/money.ts';
import { call, makeVideoWorld, onEveryGateway, submit, submitted, taskOf, untilStatus } from './support/videos.ts';

onEveryGateway((gateway) => {
  test('a length that no video has goes to the provider as it is, and is not shown', async (t) => {
    const world = await makeVideoWorld(gateway(), t, { credit: '100000' });
    const id = await submitted(world, { metadata: { duration: 3_000_000_000 } });
    const [task] = world.stub.tasks.values();
    assert.equal(task?.body['duration'], 3_000_000_000);
    assert.equal((await taskOf(world, id)).seconds, null);
    await untilStatus(world, id, 'SUCCESS', 10_000);
  });

  test('a size or an id that no database takes is the caller’s mistake', async (t) => {
    const world = await makeVideoWorld(gateway(), t);
    for (const size of ['1\0', '\ud800']) {
      const refused = await submit(world, { size });
      const { error } = (await refused.json()) as { error: { param: string } };
      assert.deepEqual([refused.status, error.param], [400, 'size']);
    }
    for (const path of ['task_%00', 'task_%00/content', 'task_%F0%9F%98%80'])
      assert.equal((await call(world, 'GET', `/v1/videos/${path}`)).status, 404, path);
    assert.equal((await call(world, 'DELETE', '/v1/videos/task_%00')).status, 404);
    assert.equal((await call(world, 'GET', '/v1/videos?after=%00')).status, 400);
  });

  for (const [code, status] of [
    ['InvalidParameter', 400],
    ['AuthenticationError', 502],
  ] as const)
    test(`a refusal with status 200 (${code}) is reported at once and keeps no money`, async (t) => {
      const world = await makeVideoWorld(gateway(), t);
      world.stub.submit = { code };
      assert.equal((await submit(world)).status, status);
      assert.equal(await balanceOf(world.gateway, world.account.id), '100');
    });
});
