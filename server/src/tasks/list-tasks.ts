// Tasks as their owner reads them: from the row alone, so that asking often costs no call to a provider (promise V-12).
import { invalidRequest } from '../errors/gateway-error.ts';
import type { TaskView } from '../neutral/video.ts';
import { findOwnTask, listTasks } from '../store/queries/tasks.ts';
import type { TaskDependencies } from './dependencies.ts';
import { taskNotFound, viewTask } from './task.ts';

type ReadDependencies = Pick<TaskDependencies, 'store' | 'publicUrl'>;

export async function getOwnTask(
  { store, publicUrl }: ReadDependencies,
  accountId: string,
  id: string,
): Promise<TaskView> {
  const task = await findOwnTask(store.reads, accountId, id);
  if (task === undefined) throw taskNotFound(id);
  return viewTask(task, publicUrl);
}

const DEFAULT_LIMIT = 20;
const MOST = 100;

/** `limit`, `order` and `after` as the compatible clients send them. */
export async function listOwnTasks(
  { store, publicUrl }: ReadDependencies,
  accountId: string,
  query: URLSearchParams,
): Promise<{ tasks: TaskView[]; hasMore: boolean }> {
  const limit = readLimit(query.get('limit'));
  const order = query.get('order') ?? 'desc';
  if (order !== 'asc' && order !== 'desc') throw invalidRequest("'order' must be asc or desc.", 'order');
  const after = readAfter(query.get('after'));
  const rows = await listTasks(store.reads, { accountId, order, after, limit: limit + 1 });
  return { tasks: rows.slice(0, limit).map((row) => viewTask(row, publicUrl)), hasMore: rows.length > limit };
}

/** Ids are in the order of their time, so that a task which was removed meanwhile still says where to go on. */
function readAfter(text: string | null): string | undefined {
  if (text === null || text === '') return undefined;
  if (isTaskId(text)) return text;
  throw invalidRequest("'after' must be the id of a task.", 'after');
}

function readLimit(text: string | null): number {
  if (text === null) return DEFAULT_LIMIT;
  if (/^\d{1,3}$/.test(text) && Number(text) <= MOST) return Number(text);
  throw invalidRequest(`'limit' must be a whole number from 0 to ${MOST}.`, 'limit');
}

/** What does not look like one is none, and never reaches the store. */
export function isTaskId(text: string): boolean {
  return /^task_[A-Za-z0-9]{32}$/.test(text);
}
