// What the image of deploy/Containerfile promises, as far as it can be seen without building it; scripts/try-image.sh builds and
// runs it where buildah, mmdebstrap and root are at hand.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { startProcess } from '../support/process.ts';

/** Instructions of the last stage, with their lines joined. */
const stage = (
  readFileSync('deploy/Containerfile', 'utf8')
    .split(/^FROM /m)
    .at(-1) ?? ''
)
  .replaceAll(/\\\n/g, ' ')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));
const given = (name: string): string[] =>
  stage.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1).trim());

test('the image runs as a user that is not root, builds nothing at its start and holds no sources', () => {
  assert.deepEqual(given('USER'), ['10001:10001']);
  assert.deepEqual(given('COPY'), ['--from=build /app /app']);
  assert.deepEqual([given('ENTRYPOINT'), given('CMD')], [['["tollgate"]'], ['["start"]']]);
  assert.doesNotMatch(given('RUN').join('\n'), /npm /);
  assert.deepEqual(given('STOPSIGNAL'), ['SIGTERM']);
});

test('the health check of the image is 0 for a gateway that is ready, and 1 where none answers', async (t) => {
  const [check = ''] = given('HEALTHCHECK');
  const command = JSON.parse(/CMD (\[.*\])$/.exec(check)?.[1] ?? '[]') as string[];
  assert.equal(command[0], 'node');
  const run = (port: string): number | null =>
    spawnSync(process.execPath, command.slice(1), { env: { PORT: port }, encoding: 'utf8' }).status;
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-image-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const gateway = await startProcess({ TOLLGATE_DATA_DIR: folder, TOLLGATE_SANDBOX: 'off' });
  t.after(() => gateway.stop('SIGKILL'));
  const { port } = new URL(gateway.address);
  assert.equal(run(port), 0);
  assert.equal(await gateway.stop(), 0);
  assert.equal(run(port), 1);
});
