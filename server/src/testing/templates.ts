// Databases that are migrated already: made once per run of the tests and copied for every test, because migrating costs
// far more than copying.
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { randomLetters } from '../shared/ids.ts';
import { postgresWords } from '../store/postgres/sql-fragments.ts';
import { migrations } from '../store/migrations/index.ts';
import { openStore, type StoreSettings } from '../store/open-store.ts';

const FILE = 'tollgate.db';
/** Any fixed number: processes that need the template at once queue here. */
const TEMPLATE_LOCK = 7_261_930_115;
/** PostgreSQL 15. */
const KNOWS_STRATEGIES = 150_000;

/** A new, empty database on the server. */
export async function makeDatabase(server: string): Promise<string> {
  return onServer(server, (client) => create(client, server, ''));
}

/** A new database on the server with every table, and nothing in them. */
export async function makeMigratedDatabase(server: string): Promise<string> {
  return onServer(server, async (client) => {
    const template = await templateOn(client, server);
    return create(client, server, `template ${template}${await copyingFiles(client)}`);
  });
}

/** Of those that the two above have made: a run that keeps all of them would fill the memory where the server keeps them. */
export async function dropDatabases(server: string, urls: readonly string[]): Promise<void> {
  await onServer(server, async (client) => {
    for (const url of urls) await client.query(`drop database ${new URL(url).pathname.slice(1)} with (force)`);
  });
}

/** The same in a folder: the file of an embedded database. */
export async function fillDataFolder(dataFolder: string): Promise<void> {
  template ??= makeTemplateFile(process.env['TEST_TEMPLATE_FOLDER'] ?? ownFolder());
  copyFileSync(await template, join(dataFolder, FILE));
}

let template: Promise<string> | undefined;

/** Made beside and then moved, so that no process ever copies another's half-made one. */
async function makeTemplateFile(folder: string): Promise<string> {
  const file = join(folder, FILE);
  if (existsSync(file)) return file;
  const making = mkdtempSync(join(folder, 'making-'));
  await migrateOnly({ databaseUrl: undefined, dataFolder: making });
  renameSync(join(making, FILE), file);
  rmSync(making, { recursive: true, force: true });
  return file;
}

/** For tests that are not run by `npm test`. */
function ownFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-test-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The name tells what is in it: a server that outlives this run may hold those of other versions. */
async function templateOn(client: pg.Client, server: string): Promise<string> {
  const statements = migrations.flatMap((migration) => migration.statements(postgresWords));
  const name = `migrated_${createHash('sha256').update(statements.join(';')).digest('hex').slice(0, 16)}`;
  const isThere = async (): Promise<boolean> =>
    (await client.query('select from pg_database where datname = $1', [name])).rowCount === 1;
  if (await isThere()) return name;
  await client.query(`select pg_advisory_lock(${TEMPLATE_LOCK})`);
  if (!(await isThere())) {
    const databaseUrl = await create(client, server, '');
    await migrateOnly({ databaseUrl, dataFolder: tmpdir() });
    await client.query(`alter database ${new URL(databaseUrl).pathname.slice(1)} rename to ${name}`);
  }
  await client.query(`select pg_advisory_unlock(${TEMPLATE_LOCK})`);
  return name;
}

/** Half the work of writing every page to the log as well; older servers know no other way. */
async function copyingFiles(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ server_version_num: string }>('show server_version_num');
  return Number(rows[0]?.server_version_num) >= KNOWS_STRATEGIES ? ' strategy file_copy' : '';
}

async function migrateOnly(settings: StoreSettings): Promise<void> {
  const store = await openStore(settings);
  await store.ping();
  await store.close();
}

async function create(client: pg.Client, server: string, from: string): Promise<string> {
  const name = `test_${randomLetters(12).toLowerCase()}`;
  await client.query(`create database ${name} ${from}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.toString();
}

async function onServer<T>(server: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
