// What peers have in common: they are guests of the run, so whatever keeps one from taking part is a word to the reader.
import type { Target } from '../../wire/chat-request.ts';
import type { Translated, LeftOut, Relay, RunningRelay, Surroundings } from '../relay.ts';
import { waitForFirstAnswer } from '../wait-for-first-answer.ts';
import { fetchPeer, type PeerPackage } from './fetch-peer.ts';

export interface PeerSettings {
  package: PeerPackage;
  mayFetch: boolean;
  /** Starts it from its folder and waits until it answers. */
  start: (folder: string, around: Surroundings) => Promise<Pick<RunningRelay, 'pid' | 'target' | 'translated'>>;
  /** What it does and what it does not, beside Tollgate. */
  words: string;
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

export function peer(settings: PeerSettings): Relay {
  const { name, version } = settings.package;
  const start = async (around: Surroundings): Promise<RunningRelay | LeftOut> => {
    const folder = await fetchPeer(settings.package, { mayFetch: settings.mayFetch, say: around.say });
    if (typeof folder !== 'string') return folder;
    try {
      const started = await settings.start(folder, around);
      await waitForFirstAnswer(started.target);
      const translated = await tryTranslated(name, started.translated ?? {}, around.notes);
      around.notes.push(`${name} ${version}: ${settings.words}`);
      return { name, role: 'guest', ...started, translated, version: `${name} ${version}` };
    } catch (error) {
      return { leftOut: `${name} ${version} is left out, it did not start: ${String(error).slice(0, 400)}` };
    }
  };
  return { name, start };
}
