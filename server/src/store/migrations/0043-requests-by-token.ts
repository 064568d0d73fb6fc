// Requests of one token: of an account with many, the index by account would be read to its end for a token used rarely.
import type { Migration } from './migration.ts';

export const requestsByToken: Migration = {
  name: '0043-requests-by-token',
  statements: () => ['create index requests_by_token on requests (token_id, id)'],
};
