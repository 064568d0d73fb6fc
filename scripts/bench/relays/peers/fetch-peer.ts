// Brings a peer of a pinned version into a folder of its own, once; it is no dependency of the project. Bounded in time,
// and a failure is a sentence for the reader, since a machine without a network must be able to run the benchmark too.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const cacheFolder = fileURLToPath(new URL('../../../../.cache/bench-peers', import.meta.url));
const lastWordsLength = 300;

export interface PeerPackage {
  name: string;
  version: string;
  /** What to expect, for the person who waits. */
  size: string;
  mostSeconds: number;
  /** The commands that fill an empty folder, one after another. */
  commands: (folder: string) => readonly (readonly string[])[];
}

export interface Fetching {
  mayFetch: boolean;
  say: (progress: string) => void;
}

/** Resolves with why the command failed; undefined when it did not. */
function run(command: readonly string[], mostSeconds: number): Promise<string | undefined> {
  const [program = '', ...args] = command;
  return new Promise((resolve) => {
    let words = '';
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    const late = setTimeout(() => {
      words = `not done in ${mostSeconds} s`;
      child.kill('SIGKILL');
    }, mostSeconds * 1000);
    const keep = (data: Buffer): void => void (words = (words + data.toString()).slice(-lastWordsLength));
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.once('error', (error) => (words = error.message));
    child.once('close', (code) => {
      clearTimeout(late);
      resolve(code === 0 ? undefined : words.trim().split('\n').at(-1));
    });
  });
}

/** The folder of the peer, or why there is none. */
export async function fetchPeer(peer: PeerPackage, { mayFetch, say }: Fetching): Promise<string | { leftOut: string }> {
  const { name, version, size, mostSeconds } = peer;
  const folder = join(cacheFolder, `${name.toLowerCase()}-${version}`);
  // Written last: a folder without it was begun and not finished.
  const mark = join(folder, '.complete');
  if (existsSync(mark)) return folder;
  if (!mayFetch) return { leftOut: `${name} ${version} is left out: not fetched yet, and --no-fetch was given.` };
  say(`fetching ${name} ${version}, once: ${size}; --no-fetch leaves it out\n`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(dirname(folder), { recursive: true });
  for (const command of peer.commands(folder)) {
    const trouble = await run(command, mostSeconds);
    if (trouble === undefined) continue;
    rmSync(folder, { recursive: true, force: true });
    return { leftOut: `${name} ${version} is left out, it cannot be had: ${trouble}` };
  }
  writeFileSync(mark, '');
  return folder;
}
