// One look at a task: counted, and struck by the poll fault that its directives ask for.
import { resetConnection } from '../http/exchange.ts';
import { sendBytes, sendWhole } from '../http/send-whole.ts';
import type { Call } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import { noteTask } from './answer-created.ts';
import type { PollFault } from './scenarios.ts';
import type { VideoTask } from './task.ts';

const page = '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>\n';
const statuses = { limited: 429, error: 500, unauthorised: 401 } as const;

export type PollAnswers = {
  /** Of an answer that tells; 200 unless the protocol has another. */
  status?: number;
  body: () => object;
  /** As if there were no such task. */
  missing: () => Promise<void>;
  withOddState: () => object;
  errorBody: object;
};

/** `behaviour` of the task wins over that of the base address, as a prompt wins over a path. */
export async function answerPoll(call: Call, task: VideoTask, answers: PollAnswers): Promise<void> {
  const { exchange, behaviour } = call;
  task.polls += 1;
  noteTask(exchange, task);
  const fault = task.behaviour.pollFault ?? behaviour.pollFault;
  const isStruck = fault !== undefined && (fault.polls === 0 || task.polls <= fault.polls);
  if (isStruck && fault.kind !== 'odd-state') return strike(call, fault.kind, answers);
  const body = isStruck ? answers.withOddState() : answers.body();
  const { status = 200, errorBody } = answers;
  await sendWhole(exchange, { status, body, errorBody }, behaviour);
}

async function strike(
  { exchange }: Call,
  kind: Exclude<PollFault['kind'], 'odd-state'>,
  answers: PollAnswers,
): Promise<void> {
  switch (kind) {
    case 'limited':
    case 'error':
    case 'unauthorised':
      throw new Refusal({ status: statuses[kind], ...(kind === 'limited' ? { retryAfterSeconds: 1 } : {}) });
    case 'missing':
      return answers.missing();
    case 'garbage':
      return sendBytes(exchange, { bytes: Buffer.from('{"status": "succ'), contentType: 'application/json' });
    case 'bad-gateway':
      return sendBytes(exchange, { status: 502, bytes: Buffer.from(page), contentType: 'text/html' });
    case 'reset':
      return resetConnection(exchange);
    case 'hang':
  }
}
