// Video tasks: what tells lost submits apart, a count of ends without a video, and turns for the archive.
import type { Migration } from './migration.ts';

export const taskCare: Migration = {
  name: '0011-task-care',
  statements: ({ time }) => [
    `alter table tasks add column upstream_model text`,
    `alter table tasks add column sent_at ${time}`,
    `alter table tasks add column videoless integer not null default 0`,
    `alter table tasks add column archive_at ${time} not null default 0`,
    `alter table tasks add column archive_tries integer not null default 0`,
    `create index tasks_by_upstream_id on tasks (upstream_id)`,
    `create index tasks_lost on tasks (sent_at) where upstream_id is null`,
    `create index tasks_live_by_channel on tasks (channel_id) where completed_at is null`,
  ],
};
