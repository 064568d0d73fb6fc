// What each row is, in the words of the table.
import type { Options } from '../options.ts';
import type { RowName } from '../row-names.ts';

export function headingOf(
  row: RowName,
  { rate, openStreams, idleConnections, slowReaders, liveTasks }: Options,
): string {
  const headings: Record<RowName, string> = {
    'whole-1': 'small chat: 1.4 KB in, 0.6 KB out, one connection; awake: on cores that cannot fall asleep',
    'whole-64': 'small chat, 64 connections',
    'whole-1000': 'small chat, 1,000 connections',
    'translated-whole': 'small chat, 64 connections, translated to a messages upstream and from a messages client',
    large: 'chat with a body of 1 MB, 8 connections',
    upload: 'multipart upload of 30 MB, 4 connections',
    stream: 'streamed chat: 100 streams, 50 chunks each at 20 ms',
    'translated-stream': 'the same streamed chat, translated to a messages upstream and from a messages client',
    'first-byte': 'first byte of a streamed chat, 200 streams at once',
    paced: `small chat at a fixed rate of ${rate}/s, open loop, timed from when each was due`,
    memory: `resident memory, MB; streams: ${openStreams}`,
    uploads: '20 uploads of 30 MB at once: growth of resident memory, MB',
    idle: `${idleConnections} idle connections`,
    'slow-readers': `${slowReaders} slow readers of 20 MB streams`,
    tasks: `${liveTasks} live video tasks on one process, kill -9 in their middle`,
  };
  return headings[row];
}
