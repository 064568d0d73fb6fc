// A Tollgate with everything on: access check, hold, settle, request log, metrics and its store in a fresh folder or a fresh
// PostgreSQL. It is started as an operator starts it.
import { startDatabase } from '../processes/databases.ts';
import type { Relay } from './relay.ts';
import { setUpTranslation } from './set-up-translation.ts';
import { startTollgate } from './start-tollgate.ts';

export interface TollgateSettings {
  name: string;
  file: string;
  /** Lets a profiler in, over a loopback port of the system's choice. */
  isInspected: boolean;
  onPostgres?: boolean;
}

const work = 'token check, limits, hold, settle, ledger, request log, metrics; accounting on, all of it durable';

export function tollgate({ name, file, isInspected, onPostgres = false }: TollgateSettings): Relay {
  return {
    name,
    start: async (around) => {
      let database: Awaited<ReturnType<typeof startDatabase>> | undefined;
      try {
        if (onPostgres) database = await startDatabase(around.processes);
      } catch (error) {
        return { leftOut: `${name} is left out, there is no PostgreSQL: ${String(error).slice(0, 300)}` };
      }
      const args = [...(isInspected ? ['--inspect=127.0.0.1:0'] : []), file];
      const where =
        database === undefined ? 'SQLite' : `PostgreSQL ${database.version}, fsync on, its processor time counted`;
      const does = `${work}, in ${where}`;
      const command = { name, role: 'gateway', serverFile: file, args, does } as const;
      const { relay, gateway } = await startTollgate(database ? { ...command, database } : command, around);
      // Another checkout to compare with may be older than translation.
      const translated = await setUpTranslation(gateway, relay.target).catch((cause: unknown) => {
        around.notes.push(`${name} does not translate, its translated rows are left out: ${String(cause)}`);
        return undefined;
      });
      return { ...relay, translated };
    },
  };
}
