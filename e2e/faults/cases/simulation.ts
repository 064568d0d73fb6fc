// FT-30: the simulation, seed after seed.
import { BOTH, type Fault } from '../command/fault.ts';
import { checkOutcome } from '../simulation/check-outcome.ts';
import { simulate } from '../simulation/simulate.ts';

export const simulation: Fault = {
  id: 'FT-30',
  title: 'simulation of ledger and task engine in virtual time, with crashes between any two awaits',
  stores: BOTH.slice(0, 1),
  rounds: 100,
  fullRounds: 10_000,
  async run(bench) {
    let [crashes, stops, calls, tasks] = [0, 0, 0, 0];
    for (let round = 0; round < bench.rounds; round++) {
      const seed = bench.random.whole(1, 2 ** 31 - 1);
      const outcome = await simulate(seed);
      try {
        checkOutcome(outcome);
      } catch (error) {
        throw new Error(`simulation seed ${seed}: ${error instanceof Error ? error.message : String(error)}`, {
          cause: error,
        });
      } finally {
        outcome.database.close();
      }
      crashes += outcome.crashes;
      stops += outcome.stops;
      calls += outcome.answered.size;
      tasks += outcome.taskIds.length;
    }
    // A world in which nothing happens keeps every promise.
    if (Math.min(calls, tasks) < bench.rounds)
      throw new Error(`hardly anything happened: ${calls} calls answered, ${tasks} tasks answered`);
    bench.note(
      `${bench.rounds} seeds, ${crashes} crashes, ${stops} stops, ${calls} calls answered, ${tasks} tasks answered`,
    );
    return undefined;
  },
};
