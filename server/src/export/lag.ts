// How far a sink is behind, as any process can tell from the store.
import type { ExportState } from '#contract/exports.ts';
import {
  countBehind,
  type ExportName,
  exportNames,
  firstBehind,
  listExportErrors,
  readCursor,
} from '../store/queries/exports.ts';
import type { Store } from '../store/store.ts';

/** More are not counted one by one. */
const MOST_COUNTED = 10_000;

export async function readLags(store: Store, sinks: readonly string[]): Promise<ExportState[]> {
  if (sinks.length === 0) return [];
  const errors = await listExportErrors(store.reads);
  const now = await store.now();
  return Promise.all(
    sinks.map(async (sink) => {
      const lags = await Promise.all(exportNames.map((name) => lagOf(store, { sink, name, now })));
      return {
        sink,
        lag_rows: lags.reduce((sum, { rows }) => sum + rows, 0),
        lag_seconds: Math.max(...lags.map(({ seconds }) => seconds)),
        last_error: errors.get(sink)?.message ?? null,
      };
    }),
  );
}

async function lagOf(
  store: Store,
  { sink, name, now }: { sink: string; name: ExportName; now: number },
): Promise<{ rows: number; seconds: number }> {
  const { reached: from, completeAt } = await readCursor(store.reads, sink, name);
  const counted = await countBehind(store.reads, { name, from }, MOST_COUNTED);
  if (counted === 0) return { rows: 0, seconds: 0 };
  const writtenAt = (await firstBehind(store.reads, { name, from })) ?? now;
  // A line may be old and changed a moment ago; what was complete then says better how long it waits.
  const seconds = Math.max(0, Math.ceil(now - Math.max(writtenAt, completeAt)));
  if (counted < MOST_COUNTED) return { rows: counted, seconds };
  // Numbers that were given and not used are among them.
  const last = await store.committedUpTo(name);
  return { rows: Math.max(counted, Number(last - (from.number < 0n ? 0n : from.number))), seconds };
}
