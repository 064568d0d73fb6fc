// The video that a remix goes on from: a finished one of the account, at a provider that can. The remix is made where the
// video is kept, by the same channel key.
import type { Principal } from '../../access/principal.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import type { RemixSource } from '../../neutral/video.ts';
import { findProvider } from '../../providers/registry.ts';
import type { ChannelKeyId } from '../../routing/affinity.ts';
import { findOwnTask, type TaskRow } from '../../store/queries/tasks.ts';
import type { TaskDependencies } from '../dependencies.ts';
import { statusOf, taskNotFound } from '../task.ts';

export interface FoundSource {
  source: RemixSource;
  model: string;
  channelKey: ChannelKeyId;
}

/** Throws 404 for a video that is not the account's or cannot be remixed, and 409 for one that is not finished. */
export async function findRemixSource(
  { store, catalogue }: Pick<TaskDependencies, 'store' | 'catalogue'>,
  { accountId }: Pick<Principal, 'accountId'>,
  id: string,
): Promise<FoundSource> {
  const task = await findOwnTask(store.reads, accountId, id);
  if (task === undefined) throw taskNotFound(id);
  const { channel_id: channelId, key_id: keyId, upstream_id: upstreamId, model } = task;
  const channel = catalogue.current.channels.find((one) => one.id === channelId);
  const isAble = channel !== undefined && findProvider(channel.provider)?.video?.remixes === true;
  if (!isAble || channelId === null || keyId === null || upstreamId === null) throw noRemix(task);
  if (task.state !== 'SUCCESS') {
    const message = `The video cannot be remixed: its status is ${statusOf(task)}.`;
    throw new GatewayError('task_not_finished', { message });
  }
  const source = { id, upstreamId, seconds: task.seconds ?? undefined, size: task.size ?? undefined };
  return { source, model, channelKey: { channelId, keyId } };
}

function noRemix({ model }: TaskRow): GatewayError {
  const message = `The provider of "${model}" has no remix. POST /v1/videos makes another video.`;
  return new GatewayError('not_found', { message });
}
