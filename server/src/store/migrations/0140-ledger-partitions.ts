// The ledger in partitions by id, where the engine can drop a partition (docs/decisions/2026-11-18-ledger-partitions.md).
import type { Migration } from './migration.ts';

export const ledgerPartitions: Migration = {
  name: '0140-ledger-partitions',
  statements: ({ divideLedger }) => divideLedger(),
};
