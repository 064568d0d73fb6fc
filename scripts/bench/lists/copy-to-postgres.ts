// The same past in PostgreSQL: copied as `tollgate move` does it, with a partition for each day of the request log, as a
// gateway that was there all the time has them.
import pg from 'pg';
import { loadStore, openSnapshot } from '../../../server/src/store/copy/copy-store.ts';
import { requestsByDay } from '../../../server/src/store/migrations/0040-request-partitions.ts';
import { migrations } from '../../../server/src/store/migrations/index.ts';
import { addPartition } from '../../../server/src/store/postgres/time-partitions.ts';
import { DAY, SPAN, START } from './fill-lists.ts';

export async function copyToPostgres(dataFolder: string, databaseUrl: string): Promise<void> {
  const snapshot = await openSnapshot({ databaseUrl: undefined, dataFolder });
  async function* tables() {
    for (const table of snapshot.tables) yield { table, rows: snapshot.read(table) };
  }
  await loadStore({ databaseUrl, dataFolder }, { migrations, tables }, { force: true, onStage: () => {} });
  await snapshot.close();
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  for (const statement of [...(await divide(client)), 'vacuum analyze']) await client.query(statement);
  await client.end();
}

/** All lines are in the first partition, because they are older than the database. */
async function divide(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'requests'::regclass
     and inhrelid <> 'requests_rest'::regclass order by 1 limit 1`,
  );
  const [first] = rows;
  if (first === undefined) throw new Error('the request log has no partition');
  const days = Array.from({ length: SPAN / DAY + 1 }, (_, day) => (START + day * DAY) * 1000);
  return [
    `alter table requests detach partition ${first.name}`,
    `alter table ${first.name} rename to requests_before`,
    'begin',
    ...days.flatMap((start) => addPartition(requestsByDay, start, start + DAY * 1000)),
    'commit',
    'alter table requests disable trigger user',
    'insert into requests select * from requests_before',
    'alter table requests enable trigger user',
    'drop table requests_before',
  ];
}
