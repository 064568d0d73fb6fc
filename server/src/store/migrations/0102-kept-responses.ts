// Responses that the gateway keeps itself, sealed, for those whose upstream speaks another protocol; and the model of those
// that upstreams keep, so that a token reaches only what its scopes let it make (contract-2 7).
import type { Migration } from './migration.ts';

export const keptResponses: Migration = {
  name: '0102-kept-responses',
  statements: ({ id, bytes, time, byKey }) => [
    `create table kept_responses (
      account_id ${id} not null, id ${id} not null, previous text, model text not null, mode text not null,
      sealed ${bytes} not null, used_at ${time} not null, primary key (account_id, id)) ${byKey}`,
    `create index kept_responses_by_time on kept_responses (used_at)`,
    `alter table responses add column model text`,
  ],
};
