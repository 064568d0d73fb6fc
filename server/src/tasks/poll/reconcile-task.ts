// Looks for a task whose submit had no answer in what the provider has taken lately. Only a match that cannot be another's
// counts: one unclaimed task of the same model, made in the same moment, and no other submit of ours that was lost then.
import type { TaskRow } from '../../store/queries/tasks.ts';
import { knownUpstreamIds, lostAround } from '../../store/queries/tasks.ts';
import type { TaskParts } from '../parts.ts';
import { callProvider, placeOfTask } from '../provider-call.ts';

/** The clocks of the two may differ a little, and the submit may have waited. */
const BEFORE_SECONDS = 5;
const AFTER_SECONDS = 60;
const LIST_TOTAL_MS = 30_000;

/** Rejects with an UpstreamError when the provider cannot be asked now. */
export async function findLostTask(parts: TaskParts, task: TaskRow, signal: AbortSignal): Promise<string | undefined> {
  const place = placeOfTask(parts, task);
  const recent = place?.video.recent;
  const upstreamModel = place?.channel.facts.models.get(task.model);
  if (place === undefined || recent === undefined || upstreamModel === undefined || task.channel_id === null)
    return undefined;
  const [from, to] = [task.created_at - BEFORE_SECONDS, task.created_at + AFTER_SECONDS];
  if ((await lostAround(parts.store.reads, { task, from: from - AFTER_SECONDS, to })) > 0) return undefined;
  const { body } = await callProvider(parts, place, { ...recent.path, totalMs: LIST_TOTAL_MS, signal });
  const fitting = recent
    .read(body)
    .filter(({ model, createdAt }) => model === upstreamModel && createdAt >= from && createdAt <= to)
    .map(({ upstreamId }) => upstreamId);
  const known = await knownUpstreamIds(parts.store.reads, task.channel_id, fitting);
  const unclaimed = fitting.filter((id) => !known.includes(id));
  return unclaimed.length === 1 ? unclaimed[0] : undefined;
}
