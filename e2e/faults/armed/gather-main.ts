// A gateway that dies when so many tasks are at a point: `gather-main.ts POINT COUNT`. Otherwise as the real one.
import { readConfig } from '../../../server/src/start/config.ts';
import { startGateway } from '../../../server/src/gateway.ts';
import { openStore } from '../../../server/src/store/open-store.ts';
import { makeLogger } from '../../../server/src/telemetry/logger.ts';
import { gatherTasks, TASK_POINTS } from './gather.ts';

const [, , name, count] = process.argv;
const point = TASK_POINTS.find((known) => known === name);
if (point === undefined) throw new Error(`there is no point ${name}; there are ${TASK_POINTS.join(', ')}`);
const config = readConfig(process.env);
const { logger } = makeLogger(config.logLevel);
await startGateway(config, logger, {
  openStore: async (settings) => gatherTasks(await openStore(settings), { point, count: Number(count) }),
});
