// A Tollgate with parts left out: `main.ts STEP SERVER-FILE`. Built from the same files as the gateway beside it.
import { dirname, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as Access from '../../../../server/src/access/authenticate.ts';
import type * as Config from '../../../../server/src/config.ts';
import type * as Gateway from '../../../../server/src/gateway.ts';
import type * as StoreFile from '../../../../server/src/store/store.ts';
import type * as LoggerFile from '../../../../server/src/telemetry/logger.ts';
import type * as MetricsFile from '../../../../server/src/telemetry/metrics.ts';
import { leaveOutMoney, leaveOutRequestLog, leaveOutTokenCheck } from './leave-out.ts';
import { type Step, steps } from './steps.ts';

const [, , name, serverFile = ''] = process.argv;
const found = steps.find((known) => known === name);
if (found === undefined) throw new Error(`there is no step ${name}; there are ${steps.join(', ')}`);
const step: Step = found;

/** A file of the gateway that is measured, not of the one that this file lies beside. */
function load<Module>(file: string): Promise<Module> {
  return import(pathToFileURL(join(dirname(serverFile), `${file}${extname(serverFile)}`)).href) as Promise<Module>;
}

const { readConfig } = await load<typeof Config>('config');
const { startGateway } = await load<typeof Gateway>('gateway');
const { openStore } = await load<typeof StoreFile>('store/store');
const { makeLogger } = await load<typeof LoggerFile>('telemetry/logger');
const { Metrics } = await load<typeof MetricsFile>('telemetry/metrics');
const { Authenticator } = await load<typeof Access>('access/authenticate');

if (step === 'bare') leaveOutTokenCheck(Authenticator);
Metrics.prototype.ended = () => undefined;
const leaveOut = step === '+money' ? leaveOutRequestLog : leaveOutMoney;
await startGateway(readConfig(process.env), makeLogger('silent').logger, {
  openStore: async (settings) => leaveOut(await openStore(settings)),
});
process.on('SIGTERM', () => process.exit(0));
