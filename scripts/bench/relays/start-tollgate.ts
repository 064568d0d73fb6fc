// Starts a Tollgate in a fresh folder and sets it up through the operator API only, as an operator would.
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startFlags } from '../../start-flags.ts';
import { findFreePort } from '../processes/free-port.ts';
import { rootOf } from '../processes/started.ts';
import type { Role, RunningRelay, Surroundings } from './relay.ts';
import { setUpTollgate } from './set-up-tollgate.ts';
import { waitUntilAnswering } from './wait-until-answering.ts';
import type { Gateway } from './operator-api.ts';

export interface TollgateCommand {
  name: string;
  role: Role;
  serverFile: string;
  /** The words after `node`. */
  args: readonly string[];
  does: string;
  /** Its store, where that is not the embedded one. */
  database?: { url: string; pid: number };
}

export interface StartedTollgate {
  relay: RunningRelay;
  gateway: Gateway;
}

export async function startTollgate(command: TollgateCommand, around: Surroundings): Promise<StartedTollgate> {
  const { name, role, serverFile, args, does, database } = command;
  const { processes, upstreamPort } = around;
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
    ...(database !== undefined && { DATABASE_URL: database.url }),
  };
  const child = processes.start({
    name,
    core: 'relay',
    program: process.execPath,
    args: [...startFlags, ...args],
    env,
  });
  await waitUntilAnswering({ name, url: `http://127.0.0.1:${port}/readyz`, child, processes });
  const gateway = { address: `http://127.0.0.1:${port}`, port, operatorKey, upstreamPort };
  const target = await setUpTollgate(gateway).catch((cause: unknown) => {
    throw new Error(`${name} could not be set up: ${String(cause)}\n${processes.lastErrors(name)}`, { cause });
  });
  const metrics = async (): Promise<string> => {
    const headers = { authorization: `Bearer ${operatorKey}` };
    return (await fetch(`${gateway.address}/metrics`, { headers })).text();
  };
  const pids = [...rootOf(child), ...(database === undefined ? [] : [database.pid])];
  return {
    relay: { name, role, target, translated: undefined, pids, does, version: undefined, metrics },
    gateway,
  };
}
