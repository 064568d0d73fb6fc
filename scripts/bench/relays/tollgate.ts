// A Tollgate with everything on: access check, hold, settle, request log, metrics and its embedded store in a fresh
// folder. It is started as an operator starts it and set up through the operator API only.
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { findFreePort } from '../processes/free-port.ts';
import type { Relay } from './relay.ts';
import { setUpTollgate } from './set-up-tollgate.ts';
import { setUpTranslation } from './set-up-translation.ts';
import { waitUntilAnswering } from './wait-until-answering.ts';

export function tollgate(name: string, serverFile: string): Relay {
  return {
    name,
    start: async ({ processes, upstreamPort, notes }) => {
      if (!existsSync(serverFile)) throw new Error(`${name}: there is no ${serverFile}`);
      const port = await findFreePort();
      const operatorKey = randomBytes(24).toString('hex');
      const dataFolder = join(processes.folder, `data-${port}`);
      mkdirSync(dataFolder);
      // The caller's own settings (a database, workers, telemetry) must not leak into what is measured.
      const env = {
        PATH: process.env['PATH'] ?? '',
        HOME: process.env['HOME'] ?? processes.folder,
        HOST: '127.0.0.1',
        PORT: String(port),
        TOLLGATE_DATA_DIR: dataFolder,
        TOLLGATE_OPERATOR_KEY: operatorKey,
        TOLLGATE_SANDBOX: 'off',
        LOG_LEVEL: 'info',
      };
      const child = processes.start({ name, core: 'relay', program: process.execPath, args: [serverFile], env });
      await waitUntilAnswering({ name, url: `http://127.0.0.1:${port}/readyz`, child, processes });
      const place = { address: `http://127.0.0.1:${port}`, port, operatorKey, upstreamPort };
      const target = await setUpTollgate(place).catch((cause: unknown) => {
        throw new Error(`${name} could not be set up: ${String(cause)}\n${processes.lastErrors(name)}`, { cause });
      });
      // Another checkout to compare with may be older than translation.
      const translated = await setUpTranslation(place, target).catch((cause: unknown) => {
        notes.push(`${name} does not translate, its translated rows are left out: ${String(cause)}`);
        return undefined;
      });
      return { name, target, translated, pid: child.pid, version: undefined };
    },
  };
}
