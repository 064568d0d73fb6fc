// What the vendors of videos share in the sandbox: a task that is accepted, and a task that is looked at.
import { randomBytes, randomUUID } from 'node:crypto';
import type { WireObject } from '../fields/refuse.ts';
import type { Call } from '../protocol.ts';
import { type Failure, Refusal } from '../refusal.ts';
import { answerCreated } from '../video/answer-created.ts';
import { answerPoll } from '../video/answer-poll.ts';
import { writeVideoUrl } from '../video/result-link.ts';
import type { VideoStudio } from '../video/studio.ts';
import { stateAt, type TaskState, type VideoTask } from '../video/task.ts';

export type Vendor = {
  family: string;
  /** How an empty account is refused. */
  noMoney: Failure;
  /** How a prompt is refused. */
  blocked: Failure;
  /** How a task that nobody knows is refused. */
  unknown: Failure;
  errorBody: object;
};

export type Wanted = {
  model: string;
  prompt: string;
  seconds: number;
  width: number;
  height: number;
  /** What polls tell at the end, and all the time. */
  usage?: WireObject;
  echo?: WireObject;
  id?: string;
};

const promptKept = 5000;

/** Refuses what the directives say; to be called before the fields are judged. */
export function refuseByDirective({ behaviour }: Call, { noMoney, blocked }: Vendor): void {
  if (behaviour.emptyAccount) throw new Refusal(noMoney);
  if (behaviour.inputBlocked) throw new Refusal(blocked);
}

export type CreateAnswer = { status?: number; body(task: VideoTask): object; bodyWithoutId: object };

type Accepting = { studio: VideoStudio; vendor: Vendor; wanted: Wanted; answer: CreateAnswer };

export async function acceptTask(call: Call, { studio, vendor, wanted, answer }: Accepting): Promise<void> {
  const task = makeTask(call, vendor, wanted);
  const { status, bodyWithoutId } = answer;
  const { errorBody } = vendor;
  const more = status === undefined ? {} : { status };
  await answerCreated(call, studio, task, { ...more, body: answer.body(task), bodyWithoutId, errorBody });
}

function makeTask({ exchange, behaviour, key, now }: Call, { family }: Vendor, wanted: Wanted): VideoTask {
  const { id = randomUUID(), model, prompt, seconds, width, height, usage = {}, echo = {} } = wanted;
  return {
    id,
    fileName: randomBytes(16).toString('hex'),
    family,
    key,
    model,
    prompt: prompt.slice(0, promptKept),
    width,
    height,
    seconds,
    echo,
    usage,
    wantsLastFrame: false,
    createdAt: now,
    expiresAt: Infinity,
    behaviour,
    cancelledAt: undefined,
    recordId: exchange.record.id,
    polls: 0,
    downloads: 0,
    callbacks: 0,
  };
}

export type TaskView = { task: VideoTask; state: TaskState; url: string | undefined };

type Reporting = {
  studio: VideoStudio;
  vendor: Vendor;
  id: string;
  /** `stateLabel` takes the place of the true one. */
  write(view: TaskView, stateLabel?: string): object;
  status?(state: TaskState): number;
};

export async function reportTask(call: Call, { studio, vendor, id, write, status }: Reporting): Promise<void> {
  const task = findTask(call, { studio, vendor, id });
  const tell = (stateLabel?: string): object => {
    const state = stateAt(task, call.now);
    const url = state === 'succeeded' ? writeVideoUrl(call.exchange, studio, task) : undefined;
    return write({ task, state, url }, stateLabel);
  };
  // The poll is counted before the state is known, so the status is of the state after it.
  const next = { ...task, polls: task.polls + 1 };
  await answerPoll(call, task, {
    ...(status !== undefined && { status: status(stateAt(next, call.now)) }),
    body: () => tell(),
    missing: async () => refuseUnknown(vendor),
    withOddState: () => tell('rescheduling'),
    errorBody: vendor.errorBody,
  });
}

export function findTask(
  { key }: Call,
  { studio, vendor, id }: { studio: VideoStudio; vendor: Vendor; id: string },
): VideoTask {
  return studio.tasks.find({ family: vendor.family, key }, id) ?? refuseUnknown(vendor);
}

function refuseUnknown({ unknown }: Vendor): never {
  throw new Refusal(unknown);
}

export function isEnded(state: TaskState): boolean {
  return state !== 'queued' && state !== 'running';
}

/** As many pixels as 16:9 has with so many lines, in steps of 8. */
export function pixelsOf(lines: number, ratio = '16:9'): { width: number; height: number } {
  const [wide = 16, high = 9] = ratio.split(':').map(Number);
  const area = lines * lines * (16 / 9);
  const step = (side: number): number => Math.max(8, Math.round(side / 8) * 8);
  return { width: step(Math.sqrt((area * wide) / high)), height: step(Math.sqrt((area * high) / wide)) };
}

/** The text at a place in a body, for directives. */
export function textsAt(...names: readonly string[]): (body: unknown) => string[] {
  return (body) => {
    let at: unknown = body;
    for (const name of names) at = typeof at === 'object' && at !== null ? (at as WireObject)[name] : undefined;
    return typeof at === 'string' ? [at] : [];
  };
}
