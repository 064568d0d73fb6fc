// Does the engine choose its indexes without knowing what lies in the tables? PostgreSQL counts; SQLite, which nobody had
// count, takes any index for a good one.
import { SqliteAdapter } from 'kysely';
import type { Reads } from '../store.ts';

export function lacksStatistics(reads: Reads): boolean {
  return reads.getExecutor().adapter instanceof SqliteAdapter;
}
