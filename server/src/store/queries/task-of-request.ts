// The video task that a request submitted.
import type { Reads } from '../store.ts';

/** Its id; undefined when the request made none. */
export async function findTaskOfRequest(reads: Reads, requestId: string): Promise<string | undefined> {
  const task = await reads.selectFrom('tasks').select('id').where('request_id', '=', requestId).executeTakeFirst();
  return task?.id;
}
