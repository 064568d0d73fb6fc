// How far each sink of the export has come (contract-2 12).
import type { Migration } from './migration.ts';

export const exportCursors: Migration = {
  name: '0129-exports',
  statements: ({ id, money, time }) => [
    `create table exports (
      sink ${id} not null, name ${id} not null, reached ${money} not null, reached_id text not null,
      planned ${money}, planned_id text, complete_at ${time} not null, rows_written ${money} not null,
      primary key (sink, name))`,
    `create table export_errors (
      sink ${id} primary key, message text not null, failures integer not null, created_at ${time} not null)`,
  ],
};
