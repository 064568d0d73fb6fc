// A Tollgate with everything on: access check, hold, settle, request log, metrics and its embedded store in a fresh
// folder. It is started as an operator starts it.
import type { Relay } from './relay.ts';
import { setUpTranslation } from './set-up-translation.ts';
import { startTollgate } from './start-tollgate.ts';

export interface TollgateSettings {
  name: string;
  file: string;
  /** Lets a profiler in, over a loopback port of the system's choice. */
  isInspected: boolean;
}

export function tollgate({ name, file, isInspected }: TollgateSettings): Relay {
  return {
    name,
    start: async (around) => {
      const args = [...(isInspected ? ['--inspect=127.0.0.1:0'] : []), file];
      const { relay, gateway } = await startTollgate({ name, role: 'gateway', serverFile: file, args }, around);
      // Another checkout to compare with may be older than translation.
      const translated = await setUpTranslation(gateway, relay.target).catch((cause: unknown) => {
        around.notes.push(`${name} does not translate, its translated rows are left out: ${String(cause)}`);
        return undefined;
      });
      return { ...relay, translated };
    },
  };
}
