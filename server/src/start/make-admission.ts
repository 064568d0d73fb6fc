// How many requests may be open and at work, by memory and by how late the process is.
import { Admission } from '../http/admission/admission.ts';
import { FairQueue } from '../http/admission/fair-queue.ts';
import { LoadWatch, memoryBounds, mostOpenRequests, Pressure } from '../http/admission/pressure.ts';
import { BodyBudget } from '../http/body-budget.ts';
import type { Telemetry } from './open-telemetry.ts';
import type { StartContext } from './start-context.ts';
import type { Relay } from './start-relay.ts';

/** Memory that large JSON bodies may take together. */
const BODY_BUDGET_BYTES = 256 * 1024 * 1024;

export type Admitting = ReturnType<typeof makeAdmission>;

export function makeAdmission({ others, started }: StartContext, { metrics, workload }: Telemetry & Relay) {
  const bounds = memoryBounds(others?.workers ?? 1);
  const pressure = new Pressure(bounds);
  const queue = new FairQueue({ capacity: () => workload.capacity });
  workload.onCapacity = () => queue.lookAgain();
  const admission = new Admission({
    mostOpen: mostOpenRequests(bounds),
    pressure,
    queue,
    onArrival: () => loadWatch.arrived(),
    onShared: (isShared) => (workload.isShared = isShared),
  });
  const loadWatch = new LoadWatch({
    onBegin(now, missed) {
      pressure.begin(now);
      workload.start(missed);
    },
    onLook: (lateMs) => metrics.lag.note(lateMs),
    onSample(now) {
      pressure.sample(now);
      workload.sample();
    },
    isAtRest: () => admission.open === 0 && !pressure.isFull && !pressure.isLate && !workload.isBounded,
  });
  started.add('timers', () => loadWatch.stop());
  return { admission, pressure, bodyBudget: new BodyBudget(BODY_BUDGET_BYTES) };
}
