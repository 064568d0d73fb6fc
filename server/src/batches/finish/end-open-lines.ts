// Gives up the lines that have not run, when their batch is cancelled or its time is over: their money goes back. A line that
// a living process works on is waited for.
import { unixSeconds } from '../../shared/clock.ts';
import { endLine, type LineRow, openLines } from '../../store/queries/batch-lines.ts';
import { livingProcesses } from '../../store/queries/processes.ts';
import type { BatchDependencies } from '../batch-dependencies.ts';
import { requestIdOf } from '../create/batch-plan.ts';
import { recoverLine } from '../lines/recover-line.ts';

const PAGE = 500;
const AT_ONCE = 50;

/** True when none is left. */
export async function endOpenLines(
  dependencies: Pick<BatchDependencies, 'store' | 'clock'>,
  { batchId, outcome, silence }: { batchId: string; outcome: 'cancelled' | 'expired'; silence: number },
): Promise<boolean> {
  const { store } = dependencies;
  const now = await store.now();
  const living = new Set(await livingProcesses(store.reads, { now, silence }));
  const isRun = (line: LineRow): boolean =>
    line.state === 'running' && living.has(line.owner ?? '') && (line.lease_until ?? 0) >= now;
  let isDone = true;
  for (let after = -1; ;) {
    const lines = await openLines(store.reads, batchId, { after, limit: PAGE });
    const free = lines.filter((line) => !isRun(line));
    if (free.length < lines.length) isDone = false;
    for (let start = 0; start < free.length; start += AT_ONCE)
      await Promise.all(free.slice(start, start + AT_ONCE).map((line) => giveUp(dependencies, line, outcome)));
    const last = lines.at(-1);
    if (last === undefined || lines.length < PAGE) return isDone;
    after = last.position;
  }
}

/** The hold decides: a line that was charged meanwhile has its answer, and keeps it. */
async function giveUp(
  { store, clock }: Pick<BatchDependencies, 'store' | 'clock'>,
  line: LineRow,
  outcome: 'cancelled' | 'expired',
): Promise<void> {
  await store.commit({
    kind: 'end',
    holdId: requestIdOf(line.batch_id, line.custom_id),
    charge: null,
    usageSource: null,
    at: unixSeconds(clock),
    note: `batch_${outcome}`,
    request: null,
  });
  const found = await recoverLine(store.reads, line);
  if (found.kind === 'settled')
    return endLine(store, line, {
      outcome: 'succeeded',
      answer: found.answer?.attempt ?? null,
      usage: found.answer?.usage ?? null,
    });
  await endLine(store, line, { outcome });
}
