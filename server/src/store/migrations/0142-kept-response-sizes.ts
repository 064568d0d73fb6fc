// How much the conversation up to a kept response adds to the input of what goes on from it: a batch is estimated without
// reading the conversations that its lines name.
import type { Migration } from './migration.ts';

export const keptResponseSizes: Migration = {
  name: '0142-kept-response-sizes',
  statements: ({ time }) => [
    `alter table kept_responses add column input_bytes ${time}`,
    `alter table kept_responses add column media_count integer`,
  ],
};
