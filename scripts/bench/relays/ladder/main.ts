// A Tollgate with parts left out: `main.ts STEP`. Built from the sources of the gateway that the bundle beside it is made of.
import { Authenticator } from '../../../../server/src/access/authenticate.ts';
import { readConfig } from '../../../../server/src/start/config.ts';
import { startGateway } from '../../../../server/src/gateway.ts';
import { keepCodeWarm } from '../../../../server/src/shared/runtime/keep-code-warm.ts';
import { openStore } from '../../../../server/src/store/open-store.ts';
import { makeLogger } from '../../../../server/src/telemetry/logger.ts';
import { Metrics } from '../../../../server/src/telemetry/metrics.ts';
import { leaveOutMoney, leaveOutRequestLog, leaveOutTokenCheck } from './leave-out.ts';
import { steps } from './steps.ts';

const [, , name] = process.argv;
const step = steps.find((known) => known === name);
if (step === undefined) throw new Error(`there is no step ${name}; there are ${steps.join(', ')}`);

if (step === 'bare') leaveOutTokenCheck(Authenticator);
Metrics.prototype.ended = () => undefined;
const leaveOut = step === '+money' ? leaveOutRequestLog : leaveOutMoney;
const gateway = await startGateway(readConfig(process.env), makeLogger('silent').logger, {
  openStore: async (settings) => leaveOut(await openStore(settings)),
});
keepCodeWarm({ isServing: () => gateway.openRequests() > 0 }); // as the entry does
process.on('SIGTERM', () => process.exit(0));
