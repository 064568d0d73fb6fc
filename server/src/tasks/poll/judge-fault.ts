// What a poll that failed does to its task: hardly ever anything. Only a provider that refuses to know the task, again and
// again for a long time, ends it; a key that is refused says nothing about the task (promise V-07).
import type { UpstreamError } from '../../providers/upstream-error.ts';
import type { TaskRow } from '../../store/queries/tasks.ts';
import type { Verdict } from './judge-report.ts';

const REFUSED_SECONDS = 1_800;
const REFUSED_TIMES = 10;
/** Of these a provider that knows the task never speaks. */
const REFUSALS = new Set([404, 410]);

export function judgeFault(row: TaskRow, error: UpstreamError, at: number): Verdict {
  const isRefused = REFUSALS.has(error.facts.status ?? 0);
  const since = isRefused ? (row.refused_since ?? at) : null;
  const failures = row.poll_failures + 1;
  if (since !== null && at - since >= REFUSED_SECONDS && failures >= REFUSED_TIMES) {
    const reason = `The provider has refused to tell of the task for ${Math.round((at - since) / 60)} minutes.`;
    return { kind: 'failed', reason, code: 'task_unreachable' };
  }
  return { kind: 'goes-on', changes: { poll_failures: failures, refused_since: since } };
}
