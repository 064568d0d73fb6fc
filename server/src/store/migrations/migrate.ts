// Brings a database up to date inside one transaction that two starting processes cannot enter at once, so that
// exactly one of them applies a change and a crash leaves all of it or nothing.
import type { DialectWords, Migration } from './migration.ts';

export interface MigrationConnection {
  run(sql: string): Promise<unknown>;
  names(sql: string): Promise<string[]>;
}

/** There is no database of Tollgate, or not of this version. */
export class StoreMissing extends Error {
  override name = 'StoreMissing';
}

/** Of an older version: this one could open it, and would change it. */
export class StoreOlder extends StoreMissing {
  override name = 'StoreOlder';
}

/** A newer version has changed it in a way that this one does not know. */
export class StoreNewer extends Error {
  override name = 'StoreNewer';
}

/** For who only reads: throws unless every change is there, and makes none. */
export async function requireMigrated(
  { names }: Pick<MigrationConnection, 'names'>,
  migrations: readonly Migration[],
): Promise<void> {
  const done = await names('select name from migrations order by position').catch((cause: unknown) => {
    throw new StoreMissing(`it holds no tables of Tollgate (${(cause as Error).message})`, { cause });
  });
  refuseNewer(done, migrations);
  const missing = migrations.find(({ name }) => !done.includes(name));
  if (missing !== undefined)
    throw new StoreOlder(
      `it is of an older version (without ${missing.name}); start the gateway once, which changes it`,
    );
}

function refuseNewer(done: readonly string[], migrations: readonly Migration[]): void {
  const unknown = done.find((name) => !migrations.some((migration) => migration.name === name));
  if (unknown === undefined) return;
  throw new StoreNewer(
    `the database was changed by a newer version of Tollgate (migration ${unknown}); start that version`,
  );
}

export async function migrate(
  connection: MigrationConnection,
  words: DialectWords,
  migrations: readonly Migration[],
): Promise<string[]> {
  await connection.run('create table if not exists migrations (name text primary key, position integer not null)');
  const done = await connection.names('select name from migrations order by position');
  refuseNewer(done, migrations);
  const applied: string[] = [];
  for (const [position, migration] of migrations.entries()) {
    if (done.includes(migration.name)) continue;
    for (const statement of migration.statements(words)) await connection.run(statement);
    await connection.run(`insert into migrations (name, position) values ('${migration.name}', ${position})`);
    applied.push(migration.name);
  }
  return applied;
}
