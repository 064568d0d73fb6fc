// Starts the upstream process beside the load generator and learns its port. The benchmark cannot go on without it,
// so any trouble is thrown.
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { StartedProcesses } from '../processes/started.ts';

export async function startUpstream(processes: StartedProcesses, port: number): Promise<number> {
  const file = fileURLToPath(new URL('main.ts', import.meta.url));
  const child = processes.start({
    name: 'upstream',
    core: 'load',
    program: process.execPath,
    args: [file, String(port)],
    channel: true,
  });
  const [message] = (await Promise.race([once(child, 'message'), once(child, 'exit').then(() => [])])) as unknown[];
  if (typeof message === 'object' && message !== null && 'port' in message && typeof message.port === 'number') {
    return message.port;
  }
  throw new Error(`the upstream did not start:\n${processes.lastErrors('upstream')}`);
}
