// Where batches of the ledger wait to be brought into its tables, on engines where that spares every call a dozen pages.
import type { Migration } from './migration.ts';

export const ledgerInbox: Migration = {
  name: '0070-ledger-inbox',
  statements: ({ inbox }) => inbox('ledger_inbox'),
};
