// A Tollgate with everything on: access check, hold, settle, request log, metrics and its embedded store in a fresh
// folder. It is started as an operator starts it and set up through the operator API only.
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { findFreePort } from '../processes/free-port.ts';
import { chatPath, type Relay } from './relay.ts';
import { setUpTollgate } from './set-up-tollgate.ts';
import { waitUntilAnswering } from './wait-until-answering.ts';

export function tollgate(name: string, serverFile: string): Relay {
  return {
    name,
    start: async ({ processes, upstreamPort }) => {
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
      const address = `http://127.0.0.1:${port}`;
      await waitUntilAnswering({ name, url: `${address}/readyz`, child, processes });
      const accessToken = await setUpTollgate({ address, operatorKey, upstreamPort }).catch((cause: unknown) => {
        throw new Error(`${name} could not be set up: ${String(cause)}\n${processes.lastErrors(name)}`, { cause });
      });
      const headers = { authorization: `Bearer ${accessToken}` };
      return {
        name,
        target: { port, path: chatPath, headers, model: 'bench-chat' },
        pid: child.pid,
        version: undefined,
      };
    },
  };
}
