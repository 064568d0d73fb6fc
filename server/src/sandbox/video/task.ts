// A video task of any protocol, and the state it is in at a moment. Nothing runs: the state follows from the time that has passed,
// or from the number of polls where a directive asks for that.
import type { Behaviour } from '../scenarios.ts';
import type { TaskEnd } from './scenarios.ts';

export type TaskState = 'queued' | 'running' | TaskEnd;

export type VideoTask = {
  id: string;
  /** Name of the result's file: the id itself is only for the account. */
  fileName: string;
  /** The protocol that made it. */
  family: string;
  key: string;
  model: string;
  prompt: string;
  width: number;
  height: number;
  seconds: number;
  /** What the family's poll answers besides the state, as its create call made it. */
  echo: Readonly<Record<string, unknown>>;
  usage: Readonly<Record<string, unknown>>;
  wantsLastFrame: boolean;
  /** Milliseconds since 1970, as all times here. */
  createdAt: number;
  /** When it expires, where it has not ended by then. */
  expiresAt: number;
  behaviour: Behaviour;
  cancelledAt: number | undefined;
  /** The record of the call that made it. */
  recordId: number;
  polls: number;
  downloads: number;
  callbacks: number;
};

const usualTaskMs = 3000;
const queuedShare = 1 / 3;

/** Infinity where the task never gets there. */
export function planTask({ createdAt, behaviour }: Pick<VideoTask, 'createdAt' | 'behaviour'>): {
  startsAt: number;
  endsAt: number;
} {
  const { taskMs = usualTaskMs, stuckIn } = behaviour;
  const startsAt = stuckIn === 'queued' ? Infinity : createdAt + taskMs * queuedShare;
  return { startsAt, endsAt: stuckIn === undefined ? createdAt + taskMs : Infinity };
}

export function stateAt(task: VideoTask, now: number): TaskState {
  if (task.cancelledAt !== undefined) return 'cancelled';
  const state = task.behaviour.taskPolls === undefined ? stateByTime(task, now) : stateByPolls(task);
  return (state === 'queued' || state === 'running') && now >= task.expiresAt ? 'expired' : state;
}

function stateByTime(task: VideoTask, now: number): TaskState {
  const { startsAt, endsAt } = planTask(task);
  const end = task.behaviour.taskEnd ?? 'succeeded';
  if (now < startsAt) return 'queued';
  // Only a task that waits can be cancelled, so one that ends so never runs.
  if (end === 'cancelled') return end;
  return now < endsAt ? 'running' : end;
}

function stateByPolls({ polls, behaviour }: VideoTask): TaskState {
  if (polls >= (behaviour.taskPolls ?? 1)) return behaviour.taskEnd ?? 'succeeded';
  return polls <= 1 ? 'queued' : 'running';
}

/** When the present state began. */
export function changedAt(task: VideoTask, now: number): number {
  const { startsAt, endsAt } = planTask(task);
  const state = stateAt(task, now);
  if (state === 'queued') return task.createdAt;
  if (task.cancelledAt !== undefined) return task.cancelledAt;
  const began = state === 'running' || state === 'cancelled' ? startsAt : Math.min(endsAt, task.expiresAt);
  return Math.min(began, now);
}
