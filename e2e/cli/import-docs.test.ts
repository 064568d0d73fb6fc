// Every import command of the pages for people who move in runs as it is written (contract-2 11).
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { makeDatabase } from '../../server/src/testing/templates.ts';
import { DATABASE_SERVER, NO_DATABASE_SERVER, OPERATOR_KEY, startTestGateway } from '../support/gateway.ts';
import { writeLitellm } from './import/litellm-tables.ts';
import { NEW_API, ONE_API, writeMysqlDump, writeSqlite } from './import/new-api-schema.ts';
import { runCli } from './run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-moving-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Commands in blocks, without their comments. */
function commandsOf(page: string): string[][] {
  const blocks = [...readFileSync(page, 'utf8').matchAll(/```sh\n([^]*?)```/g)].map(([, block]) => block ?? '');
  const lines = blocks.flatMap((block) => block.split('\n')).filter((line) => line.startsWith('tollgate import'));
  return lines.map((line) =>
    line
      .replace(/\s+#.*$/, '')
      .split(/\s+/)
      .slice(1),
  );
}

const user = { id: 1, username: 'ann', status: 1, quota: 500_000, group: 'default' };
const small = { users: [user], options: [{ key: 'QuotaPerUnit', value: '500000' }] };

test('the commands of docs/moving-from-new-api.md and -litellm.md', { skip: NO_DATABASE_SERVER }, async (t) => {
  const gateway = await startTestGateway();
  t.after(() => gateway.stop());
  const address = await makeDatabase(DATABASE_SERVER ?? '');
  await writeLitellm(address);
  writeFileSync(join(folder, 'config.yaml'), 'general_settings: { master_key: sk-of-the-master }\n');
  writeFileSync(join(folder, 'pricing.json'), '{"data":[]}');
  writeMysqlDump(join(folder, 'dump.sql'), NEW_API, small);
  let ran = 0;
  for (const page of ['docs/moving-from-new-api.md', 'docs/moving-from-litellm.md'])
    for (const args of commandsOf(page)) {
      rmSync(join(folder, 'one-api.db'), { force: true });
      writeSqlite(join(folder, 'one-api.db'), args.includes('one-api') ? ONE_API : NEW_API, small);
      const given = args.map((word) => (word.startsWith('postgres://') ? address : word));
      const settings = { TOLLGATE_URL: gateway.address, TOLLGATE_OPERATOR_KEY: OPERATOR_KEY };
      const { code, out, err } = await runCli([...given, '--yes'], settings, { cwd: folder });
      assert.equal(code, 0, `${args.join(' ')}\n${err}`);
      assert.match(out, /^SUMS$/m);
      ran++;
    }
  assert.equal(ran, 6);
});
