// The end of a run in which gateways were killed: everything they left behind is ended by the others, tasks included, and
// the four records agree.
import assert from 'node:assert/strict';
import type { Bench } from '../../command/fault.ts';
import { readBooks } from '../../reconcile.ts';
import type { Sums } from './four-sums.ts';
import type { Rig } from '../rig.ts';
import { checkTasks, readTasks, untilAllEnded } from '../providers/video-side.ts';

/** `ids`: tasks whose id a client was given; `deadAt`: Date.now() of the last kill. */
export async function settleAll(
  bench: Pick<Bench, 'note'>,
  rig: Rig,
  { ids, deadAt }: { ids: readonly string[]; deadAt: number },
): Promise<Sums> {
  const { settings, videos } = rig;
  assert.ok(videos !== undefined);
  const { lost, waitedMs } = await untilAllEnded(settings, { deadAt });
  const tasks = await readTasks(settings);
  checkTasks(tasks, await readBooks(settings), { stub: videos.stub, ids });
  bench.note(
    `${tasks.length} video tasks, ${ids.length} answered, ${lost} given up as lost; the last hold ended ${waitedMs} ms after the last end of a node`,
  );
  const seen = new Set(ids);
  return rig.reconcile({ videos: tasks.filter(({ id }) => seen.has(id)).map(({ id }) => id) });
}
