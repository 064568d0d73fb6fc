// The answer to a submit that was accepted, or what a directive makes of it: the task exists in every case.
import { type Exchange, resetConnection } from '../http/exchange.ts';
import { sendWhole } from '../http/send-whole.ts';
import type { Call } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import type { VideoStudio } from './studio.ts';
import type { VideoTask } from './task.ts';

type Answers = { status?: number; body: object; bodyWithoutId: object; errorBody: object };

export async function answerCreated(call: Call, studio: VideoStudio, task: VideoTask, answers: Answers): Promise<void> {
  const { exchange, behaviour } = call;
  studio.tasks.keep(task);
  noteTask(exchange, task);
  const { acceptedThen } = behaviour;
  switch (acceptedThen?.kind) {
    case 'reset':
      return resetConnection(exchange);
    case 'hang':
      return;
    case 'fail':
      throw new Refusal({ status: acceptedThen.status });
    default: {
      const body = acceptedThen?.kind === 'no-id' ? answers.bodyWithoutId : answers.body;
      const { status = 200, errorBody } = answers;
      await sendWhole(exchange, { status, body, errorBody }, behaviour);
    }
  }
}

export function noteTask({ record }: Exchange, { id }: VideoTask): void {
  record.task = id;
}
