// Looks for a task whose submit had no answer in what the provider has taken lately. Only a match that cannot be another's
// counts: a wrong one would show one account the video of another.
import type { SubmittedLately, VideoPlan, VideoProvider } from '../../providers/video-provider.ts';
import { knownUpstreamIds, listLost, type LostSubmit, type TaskRow } from '../../store/queries/tasks.ts';
import type { TaskDependencies } from '../dependencies.ts';
import { callProvider, targetOfTask } from '../provider-call.ts';
import { writeHandle } from '../task.ts';

/** The clocks of the two may differ a little, and the submit may have waited. */
const BEFORE_SECONDS = 5;
const AFTER_SECONDS = 60;
/** What the provider took in this time and we know nothing of shows that its account is not ours alone. */
const STRANGERS_SECONDS = 3_600;
const LIST_TOTAL_MS = 30_000;

export type Found = { upstreamId: string; handle: string | null } | 'not-found' | 'cannot-be-asked';

/** Rejects with an UpstreamError when the provider cannot be asked now. */
export async function findLostTask(dependencies: TaskDependencies, task: TaskRow, signal: AbortSignal): Promise<Found> {
  const target = targetOfTask(dependencies, task);
  const recent = target?.video.recent;
  const { upstream_model: model, sent_at: sentAt } = task;
  if (target === undefined || recent === undefined || model === null || sentAt === null) return 'cannot-be-asked';
  const own = lostSubmit(task.id, { model, sentAt, sent: task.sent });
  const span = { from: sentAt - STRANGERS_SECONDS, to: sentAt + STRANGERS_SECONDS };
  const path = recent.path({ ...span, model, sent: own.sent });
  const { body } = await callProvider(dependencies, target, { ...path, totalMs: LIST_TOTAL_MS, signal });
  const listed = recent.read(body);
  const { ownHandle } = own.sent;
  if (ownHandle !== undefined) {
    const named = listed.find((item) => item.ownHandle === ownHandle);
    return named === undefined ? 'not-found' : found(target.video, named.upstreamId, own.sent);
  }
  const items = listed.filter(({ createdAt }) => createdAt >= span.from && createdAt <= span.to);
  // In this order: whatever was in the list had its row before the call, without an id yet or with one by now.
  const others = (await listLost(dependencies.store.reads, span)).filter(({ id }) => id !== task.id).map(asLost);
  const known = new Set(
    await knownUpstreamIds(
      dependencies.store.reads,
      items.map(({ upstreamId }) => upstreamId),
    ),
  );
  const unclaimed = items.filter(({ upstreamId }) => !known.has(upstreamId));
  const [only, ...more] = unclaimed.filter((item) => couldBe(item, own));
  if (only === undefined || more.length > 0 || others.some((other) => couldBe(only, other))) return 'not-found';
  const isStranger = (item: SubmittedLately): boolean => item !== only && !others.some((other) => couldBe(item, other));
  if (unclaimed.some(isStranger)) return 'not-found';
  return found(target.video, only.upstreamId, own.sent);
}

function found(video: VideoProvider, upstreamId: string, sent: VideoPlan['sent']): Found {
  return { upstreamId, handle: writeHandle(video, { upstreamId, sent, body: undefined }) };
}

interface Lost {
  id: string;
  model: string;
  sentAt: number;
  sent: VideoPlan['sent'];
}

function lostSubmit(id: string, { model, sentAt, sent }: { model: string; sentAt: number; sent: string }): Lost {
  return { id, model, sentAt, sent: JSON.parse(sent) as VideoPlan['sent'] };
}

function asLost({ id, upstream_model, sent_at, sent }: LostSubmit): Lost {
  return lostSubmit(id, { model: upstream_model ?? '', sentAt: sent_at ?? 0, sent });
}

/** The same model, the same moment, and nothing that it says of itself was asked for otherwise. */
function couldBe(item: SubmittedLately, { model, sentAt, sent }: Lost): boolean {
  if (item.model !== model) return false;
  if (item.createdAt < sentAt - BEFORE_SECONDS || item.createdAt > sentAt + AFTER_SECONDS) return false;
  return Object.entries(item.asked).every(([name, value]) => sent[name] === undefined || sent[name] === value);
}
