// The tables of new-api and one-api that an import reads, with the columns and the types that the programs make, and how a
// test writes them into each kind of database.
import { writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';

export type Row = Record<string, string | number | boolean | null>;
export type Tables = Record<string, Row[]>;

type Column = readonly [name: string, type: 'integer' | 'text' | 'real' | 'boolean' | 'json' | 'datetime'];

const words = (type: Column[1], names: string): Column[] => names.split(' ').map((name) => [name, type]);

const LOGS = [
  ...words('integer', 'id user_id created_at type'),
  ...words('text', 'content username token_name model_name'),
  ...words('integer', 'quota prompt_tokens completion_tokens'),
];

export const NEW_API: Record<string, Column[]> = {
  users: [
    ...words('integer', 'id'),
    ...words('text', 'username password display_name'),
    ...words('integer', 'role status'),
    ...words('text', 'email github_id access_token'),
    ...words('integer', 'quota used_quota request_count'),
    ...words('text', 'group aff_code'),
    ...words('integer', 'aff_count aff_quota aff_history inviter_id'),
    ...words('datetime', 'deleted_at'),
    ...words('text', 'setting remark'),
    ...words('integer', 'created_at last_login_at auth_version'),
  ],
  tokens: [
    ...words('integer', 'id user_id'),
    ...words('text', 'key'),
    ...words('integer', 'status'),
    ...words('text', 'name'),
    ...words('integer', 'created_time accessed_time expired_time remain_quota'),
    ...words('boolean', 'unlimited_quota model_limits_enabled'),
    ...words('text', 'model_limits allow_ips'),
    ...words('integer', 'used_quota'),
    ...words('text', 'group'),
    ...words('boolean', 'cross_group_retry'),
    ...words('text', 'auto_groups'),
    ...words('datetime', 'deleted_at'),
  ],
  channels: [
    ...words('integer', 'id type'),
    ...words('text', 'key open_ai_organization test_model'),
    ...words('integer', 'status'),
    ...words('text', 'name'),
    ...words('integer', 'weight created_time test_time response_time'),
    ...words('text', 'base_url other'),
    ...words('real', 'balance'),
    ...words('text', 'models group'),
    ...words('integer', 'used_quota'),
    ...words('text', 'model_mapping status_code_mapping'),
    ...words('integer', 'priority auto_ban'),
    ...words('text', 'other_info tag setting param_override header_override remark'),
    ...words('json', 'channel_info'),
    ...words('text', 'settings'),
  ],
  options: words('text', 'key value'),
  logs: LOGS,
  redemptions: [...words('integer', 'id user_id'), ...words('text', 'key'), ...words('integer', 'status quota')],
};

export const ONE_API: Record<string, Column[]> = {
  users: NEW_API['users']?.filter(([name]) => !['deleted_at', 'aff_quota', 'setting', 'remark'].includes(name)) ?? [],
  tokens: [
    ...words('integer', 'id user_id'),
    ...words('text', 'key'),
    ...words('integer', 'status'),
    ...words('text', 'name'),
    ...words('integer', 'created_time accessed_time expired_time remain_quota'),
    ...words('boolean', 'unlimited_quota'),
    ...words('integer', 'used_quota'),
    ...words('text', 'models subnet'),
  ],
  channels: [
    ...words('integer', 'id type'),
    ...words('text', 'key'),
    ...words('integer', 'status'),
    ...words('text', 'name'),
    ...words('integer', 'weight created_time'),
    ...words('text', 'base_url other models group'),
    ...words('text', 'model_mapping'),
    ...words('integer', 'priority'),
    ...words('text', 'config system_prompt'),
  ],
  options: words('text', 'key value'),
  logs: LOGS,
};

export function writeSqlite(path: string, schema: Record<string, Column[]>, tables: Tables): void {
  const database = new DatabaseSync(path);
  const quoted = (name: string): string => `\`${name}\``;
  database.exec('begin');
  for (const [table, columns] of Object.entries(schema)) {
    database.exec(
      `create table ${quoted(table)} (${columns.map(([name, type]) => `${quoted(name)} ${type}`).join(', ')})`,
    );
    const insert = database.prepare(`insert into ${quoted(table)} values (${columns.map(() => '?').join(', ')})`);
    for (const row of tables[table] ?? [])
      insert.run(
        ...columns.map(([name]) => (typeof row[name] === 'boolean' ? Number(row[name]) : (row[name] ?? null))),
      );
  }
  database.exec('commit');
  database.close();
}

/** As mysqldump writes it: no column names, several rows in a statement, escapes with a backslash. */
export function writeMysqlDump(path: string, schema: Record<string, Column[]>, tables: Tables): void {
  const lines = ['-- MySQL dump 10.13  Distrib 8.0.36, for Linux (x86_64)', '--', '/*!40101 SET NAMES utf8mb4 */;', ''];
  for (const [table, columns] of Object.entries(schema)) {
    lines.push(`DROP TABLE IF EXISTS \`${table}\`;`, `CREATE TABLE \`${table}\` (`);
    lines.push(
      ...columns.map(([name, type]) => `  \`${name}\` ${type === 'text' ? 'longtext' : 'bigint'} DEFAULT NULL,`),
    );
    lines.push('  PRIMARY KEY (`id`)', ") ENGINE=InnoDB COMMENT='it''s; a table';", `LOCK TABLES \`${table}\` WRITE;`);
    const rows = tables[table] ?? [];
    for (let at = 0; at < rows.length; at += 100) {
      const values = rows
        .slice(at, at + 100)
        .map((row) => `(${columns.map(([name]) => mysqlValue(row[name])).join(',')})`);
      lines.push(`INSERT INTO \`${table}\` VALUES ${values.join(',')};`);
    }
    lines.push('UNLOCK TABLES;', '');
  }
  writeFileSync(path, lines.join('\n'));
}

function mysqlValue(value: Row[string] | undefined): string {
  if (value === null || value === undefined) return 'NULL';
  if (typeof value !== 'string') return String(Number(value));
  const escaped = value
    .replaceAll('\\', '\\\\')
    .replaceAll("'", String.raw`\'`)
    .replaceAll('"', String.raw`\"`);
  return `'${escaped.replaceAll('\n', String.raw`\n`)}'`;
}

export async function writePostgres(address: string, schema: Record<string, Column[]>, tables: Tables): Promise<void> {
  const types = {
    integer: 'bigint',
    text: 'text',
    real: 'numeric',
    boolean: 'boolean',
    json: 'json',
    datetime: 'timestamptz',
  } as const;
  const client = new pg.Client(address);
  await client.connect();
  for (const [table, columns] of Object.entries(schema)) {
    await client.query(
      `create table "${table}" (${columns.map(([name, type]) => `"${name}" ${types[type]}`).join(', ')})`,
    );
    const parameters = columns.map((_, at) => `$${at + 1}`).join(', ');
    for (const row of tables[table] ?? [])
      await client.query(
        `insert into "${table}" values (${parameters})`,
        columns.map(([name]) => row[name] ?? null),
      );
  }
  await client.end();
}
