// The video tasks that requests submitted.
import type { Reads } from '../store.ts';
import type { TaskState } from '../tables.ts';

/** Its id; undefined when the request made none. */
export async function findTaskOfRequest(reads: Reads, requestId: string): Promise<string | undefined> {
  const task = await reads.selectFrom('tasks').select('id').where('request_id', '=', requestId).executeTakeFirst();
  return task?.id;
}

/** Of each request that submitted one. */
export async function taskStatesOf(reads: Reads, requestIds: readonly string[]): Promise<Map<string, TaskState>> {
  if (requestIds.length === 0) return new Map();
  const rows = await reads
    .selectFrom('tasks')
    .select(['request_id', 'state'])
    .where('request_id', 'in', [...requestIds])
    .execute();
  return new Map(rows.map(({ request_id, state }) => [request_id, state]));
}
