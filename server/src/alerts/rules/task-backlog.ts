// Video tasks that need somebody, or too many that are not finished.
import { countLiveTasks, listTasks, stuckSince } from '../../store/queries/tasks.ts';
import { type Finding, type Rule, threshold } from '../finding.ts';

/** Counted up to here. */
const MOST_STUCK = 100;

export const taskBacklog: Rule = {
  everySeconds: 15,
  async find(context) {
    const live = await countLiveTasks(context.reads);
    if (live === 0) return [];
    const stuck = await listTasks(context.reads, { stuck: stuckSince(context.now), limit: MOST_STUCK });
    const found: Finding[] = [];
    if (stuck.length >= threshold(context, 'stuck')) {
      const title = stuck.length === 1 ? 'A video task is stuck' : `${stuck.length} video tasks are stuck`;
      const detail = 'Their submit was lost, their provider does not answer, or they have been running for an hour.';
      found.push({ kind: 'tasks', subject: 'stuck', title, detail });
    }
    if (live >= threshold(context, 'tasks')) {
      const detail = 'Providers finish fewer video tasks than are submitted.';
      found.push({ kind: 'tasks', subject: 'unfinished', title: `${live} video tasks are unfinished`, detail });
    }
    return found;
  },
};
