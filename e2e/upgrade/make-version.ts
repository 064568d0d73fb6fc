// Makes the fixture of a version: runs that version's own built code on SQLite and PostgreSQL, makes accounts, tokens, charges
// and tasks through its API, and keeps both databases as SQL text in versions/<version>/. Once per release (CONTRIBUTING.md):
//   node e2e/upgrade/make-version.ts <folder of the built tree> postgres://...   (a server of which pg_dump in PATH is not older)
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';
import { startSandbox } from '../../server/src/sandbox/server.ts';
import { makeDatabase } from '../../server/src/testing/templates.ts';
import { startVideoStub } from '../support/video-stub.ts';
import { waitUntil } from '../support/wait.ts';
import { dumpSqlite } from './dump-sqlite.ts';
import { fillVersion, OPERATOR_KEY, SECRET, type VersionFacts } from './fill-version.ts';

const [tree = '.', server] = process.argv.slice(2);
if (server === undefined) throw new Error('usage: make-version.ts <folder of the built tree> postgres://...');
const root = resolve(tree);
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const target = join(import.meta.dirname, 'versions', version);
const folder = mkdtempSync(join(tmpdir(), 'tollgate-version-'));
const databaseUrl = await makeDatabase(server);
mkdirSync(target, { recursive: true });

const facts = { sqlite: await run({}), postgres: await run({ DATABASE_URL: databaseUrl }) };
const database = new DatabaseSync(join(folder, 'tollgate.db'), { readOnly: true });
keep('sqlite.sql.gz', dumpSqlite(database));
database.close();
const dump = execFileSync('pg_dump', ['--inserts', '--no-owner', '--no-privileges', databaseUrl], { encoding: 'utf8' });
keep('postgres.sql.gz', dump.replaceAll(/^\\.*$/gm, ''));
writeFileSync(join(target, 'facts.json'), `${JSON.stringify({ version, ...facts }, undefined, 2)}\n`);
rmSync(folder, { recursive: true });
process.exit(0);

function keep(name: string, text: string): void {
  const bytes = gzipSync(text, { level: 9 });
  writeFileSync(join(target, name), bytes);
  process.stdout.write(`${name}: ${text.length} characters, ${bytes.length} bytes\n`);
}

/** The whole life of a gateway of that version, on one store. */
async function run(store: Record<string, string>): Promise<VersionFacts> {
  const [upstream, videos] = [await startSandbox(), await startVideoStub()];
  const gateway = spawn(process.execPath, ['dist/server/src/main.js'], {
    cwd: root,
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      TOLLGATE_DATA_DIR: folder,
      TOLLGATE_SECRET: SECRET,
      TOLLGATE_OPERATOR_KEY: OPERATOR_KEY,
      TOLLGATE_SANDBOX: 'off',
      TOLLGATE_TASK_POLL_MS: '100',
      TOLLGATE_PRIVATE_HOSTS: '127.0.0.1',
      ...store,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  gateway.stdout.on('data', (piece: Buffer) => (printed += piece.toString()));
  await waitUntil(() => /ready at \S+/.test(printed), 'it does not get ready', 60_000);
  const address = /ready at (\S+)/.exec(printed)?.[1] ?? '';
  const made = await fillVersion(address, { chat: upstream.baseUrl('openai'), videos });
  gateway.kill('SIGTERM');
  const [code] = (await once(gateway, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`it ended with ${code}: ${printed}`);
  await upstream.stop();
  await videos.stop();
  return made;
}
