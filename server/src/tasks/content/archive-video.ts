// Copies of finished videos in the data folder, for channels with the option `archive`: links of providers live for a day.
// Providers whose links die sooner than that have their videos copied unless the option is false.
import { createWriteStream, type ReadStream } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ChannelFacts } from '../../catalogue/catalogue.ts';
import { findProvider } from '../../providers/registry.ts';
import { markArchived, type TaskRow } from '../../store/queries/tasks.ts';
import { discardBody } from '../../providers/guarded/guarded-client.ts';
import { randomLetters } from '../../shared/ids.ts';
import type { TaskDependencies } from '../dependencies.ts';
import { targetOfTask } from '../provider-call.ts';
import { decodedBody } from './cut-range.ts';
import { fetchVideo } from './video-link.ts';

/** A provider's mistake must not fill the disk. */
const MOST_BYTES = 4 * 1024 ** 3;

/** By the channel's option, and without one by what its provider declares (contract-2 9). */
export function isArchived({ provider, options }: Pick<ChannelFacts, 'provider' | 'options'>): boolean {
  return options.archive ?? findProvider(provider)?.video?.linksDieSoon === true;
}

/** Nothing where the channel does not ask for it; rejects when the copy could not be made. */
export async function archiveVideo(dependencies: TaskDependencies, task: TaskRow, signal: AbortSignal): Promise<void> {
  const origin = targetOfTask(dependencies, task);
  if (origin === undefined || !isArchived(origin.channel.facts) || task.result_url === null) return;
  await mkdir(dependencies.archiveFolder, { recursive: true, mode: 0o700 });
  const target = fileOf(dependencies, task.id);
  const draft = `${target}.${randomLetters(8)}.part`;
  try {
    const answer = await fetchVideo(dependencies, { task, target: origin, range: undefined, signal });
    if (answer.status !== 200) {
      discardBody(answer.body);
      throw new Error(`the video was answered with ${answer.status}`);
    }
    const file = createWriteStream(draft, { mode: 0o600 });
    await pipeline([...decodedBody(answer), limitedTo(MOST_BYTES), file], { signal });
    await rename(draft, target);
  } finally {
    await rm(draft, { force: true });
  }
  // Who removes a task says so before looking for its file: one of the two always finds it.
  if (!(await markArchived(dependencies.store, task.id))) await deleteArchived(dependencies, task.id);
}

export interface ArchivedVideo {
  size: number;
  read(range: { start: number; end: number }): ReadStream;
  close(): Promise<void>;
}

/** undefined where this node has no copy. */
export async function openArchived(dependencies: TaskDependencies, id: string): Promise<ArchivedVideo | undefined> {
  try {
    const file = await open(fileOf(dependencies, id), 'r');
    const { size } = await file.stat();
    return { size, read: (range) => file.createReadStream(range), close: () => file.close() };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

export async function deleteArchived(dependencies: TaskDependencies, id: string): Promise<void> {
  await rm(fileOf(dependencies, id), { force: true });
}

/** Task ids are letters and digits: they are safe as names. */
function fileOf({ archiveFolder }: TaskDependencies, id: string): string {
  return join(archiveFolder, `${id}.mp4`);
}

function limitedTo(most: number): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > most) done(new Error('the video is too large to be kept'));
      else done(null, chunk);
    },
  });
}
