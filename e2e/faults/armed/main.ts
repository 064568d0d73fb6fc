// A gateway that dies in a chosen place: `main.ts POINT TIME [LASTING_MS]`. Otherwise as the real one.
import { readConfig } from '../../../server/src/start/config.ts';
import { startGateway } from '../../../server/src/gateway.ts';
import { openStore } from '../../../server/src/store/open-store.ts';
import { makeLogger } from '../../../server/src/telemetry/logger.ts';
import { ABORT_POINTS, AbortPoints } from './abort-points.ts';

const [, , name, time, lastingMs = '0'] = process.argv;
const point = ABORT_POINTS.find((known) => known === name);
if (point === undefined) throw new Error(`there is no point ${name}; there are ${ABORT_POINTS.join(', ')}`);
const points = new AbortPoints(point, Number(time), Number(lastingMs));
points.watchCalls();
const config = readConfig(process.env);
const { logger } = makeLogger(config.logLevel);
await startGateway(config, logger, { openStore: async (settings) => points.watchStore(await openStore(settings)) });
