// Brings a database up to date inside one transaction that two starting processes cannot enter at once, so that
// exactly one of them applies a change and a crash leaves all of it or nothing.
import type { DialectWords, Migration } from './migration.ts';

export interface MigrationConnection {
  run(sql: string): Promise<unknown>;
  names(sql: string): Promise<string[]>;
}

export async function migrate(
  connection: MigrationConnection,
  words: DialectWords,
  migrations: readonly Migration[],
): Promise<string[]> {
  await connection.run('create table if not exists migrations (name text primary key, position integer not null)');
  const done = await connection.names('select name from migrations order by position');
  const unknown = done.find((name) => !migrations.some((migration) => migration.name === name));
  if (unknown !== undefined) {
    throw new Error(
      `the database was changed by a newer version of Tollgate (migration ${unknown}); start that version`,
    );
  }
  const applied: string[] = [];
  for (const [position, migration] of migrations.entries()) {
    if (done.includes(migration.name)) continue;
    for (const statement of migration.statements(words)) await connection.run(statement);
    await connection.run(`insert into migrations (name, position) values ('${migration.name}', ${position})`);
    applied.push(migration.name);
  }
  return applied;
}
