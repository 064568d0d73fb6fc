// What peers have in common: they are guests of the run, so whatever keeps one from taking part is a word to the reader. A
// program that the command line names and that is not there is an error: a run takes long.
import { existsSync } from 'node:fs';
import type { Target } from '../../wire/chat-request.ts';
import type { Translated, LeftOut, Relay, RunningRelay, Surroundings } from '../relay.ts';
import { waitForFirstAnswer } from '../wait-for-first-answer.ts';

export interface PeerSettings {
  name: string;
  /** The program that the command line gives. */
  given: string | undefined;
  /** The program where none is given, or why there is none. */
  find: (around: Surroundings) => Promise<string | LeftOut>;
  /** Starts the program with a configuration that leads to the upstream, and waits until it answers. */
  start: (program: string, around: Surroundings) => Promise<StartedPeer>;
}

export interface StartedPeer extends Pick<RunningRelay, 'pids' | 'target' | 'does'> {
  version: string;
  translated?: Translated;
}

/** Those ways of translating that work. */
async function tryTranslated(name: string, translated: Translated, notes: string[]): Promise<Translated> {
  const working: [string, Target][] = [];
  for (const [client, target] of Object.entries(translated)) {
    try {
      await waitForFirstAnswer(target, 2000);
      working.push([client, target]);
    } catch (error) {
      notes.push(`${name} does not translate for a ${client} client here: ${String(error).slice(0, 200)}`);
    }
  }
  return Object.fromEntries(working);
}

export function peer({ name, given, find, start: startProgram }: PeerSettings): Relay {
  const start = async (around: Surroundings): Promise<RunningRelay | LeftOut> => {
    if (given !== undefined && !existsSync(given)) throw new Error(`--peer: there is no ${given}`);
    const program = given ?? (await find(around));
    if (typeof program !== 'string') return program;
    try {
      const { version, ...started } = await startProgram(program, around);
      await waitForFirstAnswer(started.target);
      const translated = await tryTranslated(name, started.translated ?? {}, around.notes);
      return { name, role: 'guest', ...started, translated, version: `${name} ${version}` };
    } catch (error) {
      return { leftOut: `${name} is left out, it did not start: ${String(error).slice(0, 400)}` };
    }
  };
  return { name, start };
}

/** For a peer that the benchmark never fetches. */
export function notGiven(name: string): () => Promise<LeftOut> {
  return () =>
    Promise.resolve({ leftOut: `${name} is left out: --peer ${name.toLowerCase()}=FILE names its program.` });
}
