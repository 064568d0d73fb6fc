// Leases of video tasks in a fleet: each process asks for due tasks, claims some, asks the provider about each and writes
// down what it heard. The rules are those of tasks/poll. In the middle of the run nodes can die with what they hold.
import { LONGEST_ROUND_MS, MOST } from '../../server/src/tasks/poll/poll-tasks.ts';
import { nextPollMs } from '../../server/src/tasks/poll/poll-schedule.ts';
import { SILENCE_SECONDS } from '../../server/src/billing/sweeper.ts';
import type { Costs } from './costs.ts';
import { quantile, seeded, sortedUp } from './spread.ts';
import { Station } from './station.ts';
import { VirtualTime } from './virtual-time.ts';

export interface TasksFleet {
  processes: number;
  /** Die together after a third of the time; the others take their tasks over. */
  dying: number;
  databaseCores: number;
  tasks: number;
  /** TOLLGATE_TASK_POLL_MS. */
  baseMs: number;
  /** Median answer of a provider. */
  answerMs: number;
  seconds: number;
}

export interface TasksOutcome {
  /** How much later than planned a task was asked about, milliseconds. */
  p50: number;
  p99: number;
  /** The same for tasks whose process had died, from the death on. */
  takenOver: number;
  looksPerSecond: number;
  claimsPerSecond: number;
  databaseBusy: number;
}

interface Task {
  dueAt: number;
  startedAt: number;
  /** Its process died while it asked about it. */
  isOrphan: boolean;
}

export function simulateTasks(fleet: TasksFleet, costs: Costs, seed = 1): TasksOutcome {
  const random = seeded(seed);
  const time = new VirtualTime();
  const database = new Station(time, fleet.databaseCores);
  const buckets = new Map<number, Task[]>();
  const running = Array.from({ length: fleet.processes }, () => 0);
  const lateness: number[] = [];
  const takenOver: number[] = [];
  const counts = { looks: 0, claims: 0 };
  const diesAt = (fleet.seconds * 1000) / 3;
  const isDead = (process: number): boolean => process < fleet.dying && time.now >= diesAt;
  let oldest = 0;

  const put = (task: Task, dueAt: number): void => {
    task.dueAt = dueAt;
    const bucket = Math.floor(dueAt / 10);
    oldest = Math.min(oldest, bucket);
    const tasks = buckets.get(bucket);
    if (tasks === undefined) buckets.set(bucket, [task]);
    else tasks.push(task);
  };
  const takeDue = (limit: number): Task[] => {
    const taken: Task[] = [];
    for (const now = Math.floor(time.now / 10); oldest < now;) {
      const tasks = buckets.get(oldest) ?? [];
      taken.push(...tasks.splice(0, limit - taken.length));
      if (taken.length >= limit) break;
      buckets.delete(oldest++);
    }
    return taken;
  };
  const look = (process: number, task: Task): void => {
    counts.looks++;
    lateness.push(time.now - task.dueAt);
    if (task.isOrphan) takenOver.push(time.now - diesAt);
    task.isOrphan = false;
    running[process] = (running[process] ?? 0) + 1;
    time.after(fleet.answerMs * (0.5 + random()), () => {
      if (isDead(process)) {
        // Found again when its process has been silent for long enough.
        task.isOrphan = true;
        put(task, Math.max(time.now, diesAt + SILENCE_SECONDS * 1000));
        return;
      }
      database.do(costs.looked, () => {
        running[process] = (running[process] ?? 1) - 1;
        const ageMs = time.now - task.startedAt;
        put(task, time.now + nextPollMs({ baseMs: fleet.baseMs, ageMs, failures: 0, random: random() }));
      });
    });
  };
  const claim = (process: number): void => {
    if (isDead(process)) return;
    const limit = Math.min(MOST.perRound, MOST.atOnce - (running[process] ?? 0));
    const again = (): void => time.after(LONGEST_ROUND_MS, () => claim(process));
    if (limit <= 0) return again();
    database.do(costs.due, () => {
      if (isDead(process)) return;
      const tasks = takeDue(limit);
      if (tasks.length === 0) return again();
      counts.claims++;
      database.do(costs.claim + tasks.length * costs.claimed, () => {
        for (const task of tasks) look(process, task);
        again();
      });
    });
  };

  for (let number = 0; number < fleet.tasks; number++)
    put({ dueAt: 0, startedAt: 0, isOrphan: false }, random() * fleet.baseMs);
  for (let process = 0; process < fleet.processes; process++)
    time.after(random() * LONGEST_ROUND_MS, () => claim(process));
  time.runUntil(fleet.seconds * 1000);
  const sorted = sortedUp(lateness);
  return {
    p50: quantile(sorted, 0.5),
    p99: quantile(sorted, 0.99),
    takenOver: quantile(sortedUp(takenOver), 0.99),
    looksPerSecond: counts.looks / fleet.seconds,
    claimsPerSecond: counts.claims / fleet.seconds,
    databaseBusy: database.utilisation,
  };
}
