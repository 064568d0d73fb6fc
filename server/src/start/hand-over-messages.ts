// What an old and a new process say to each other when the port is handed over, and where they meet. A later version that has
// to say something else counts HAND_OVER up.
import { join, relative, resolve } from 'node:path';

export const HAND_OVER = 1;

export type FromNew = { kind: 'wanted'; protocol: number; version: string } | { kind: 'ready' };

export type FromOld =
  /** Comes with the listening socket. */
  | { kind: 'listener'; host: string; version: string }
  | { kind: 'refused'; reason: string }
  /** The unix socket is free, and what the old process has begun ends soon. */
  | { kind: 'leaving' };

/** The system takes no longer names of unix sockets. */
const MOST_BYTES = 103;

/** undefined where the system has none, or where its name would be too long. `localhost` may be two addresses. */
export function handOverPath({
  dataFolder,
  host,
  port,
}: {
  dataFolder: string;
  host: string;
  port: number;
}): string | undefined {
  if (process.platform === 'win32' || host === 'localhost') return undefined;
  const path = resolve(join(dataFolder, `port-${port}.sock`));
  return [path, relative(process.cwd(), path)].find((name) => Buffer.byteLength(name) <= MOST_BYTES);
}
