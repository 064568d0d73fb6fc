// POST /v1/chat/completions: checks the request, composes the reply, sends it whole or as a stream.
import { createHash } from 'node:crypto';
import { sendStream } from '../../http/send-stream.ts';
import { sendWhole } from '../../http/send-whole.ts';
import type { Call } from '../../protocol.ts';
import { readChatRequest } from './chat-request.ts';
import { composeReply } from './compose-reply.ts';
import { writeError } from '../error.ts';
import { checkModel } from '../models.ts';
import { countPromptTokens, writeUsage } from './usage.ts';
import { writeCompletion, writeEvents } from './write-answer.ts';

export async function answerChatCompletions(call: Call): Promise<void> {
  const { exchange, behaviour, body, models, now } = call;
  const request = readChatRequest(body);
  checkModel(request.model, models);
  const reply = composeReply(request, call);
  const answer = {
    id: makeId(call),
    created: Math.floor(now / 1000),
    model: request.model,
    choices: reply.choices,
    usage: writeUsage(countPromptTokens(request), reply, behaviour),
  };
  const errorBody = writeError({ status: 500 });
  if (!request.stream || behaviour.ignoreStream) {
    return sendWhole(exchange, { body: writeCompletion(answer), errorBody }, behaviour);
  }
  const events = writeEvents(answer, request.includeUsage);
  await sendStream(exchange, { events, errorData: JSON.stringify(errorBody) }, behaviour);
}

/** Unlike the rest of the answer, another one for every call. */
function makeId({ exchange: { record } }: Call): string {
  const seed = `${record.at}:${record.id}:${record.rawBody}`;
  return `chatcmpl-${createHash('sha256').update(seed).digest('base64url').replace(/[-_]/g, 'x').slice(0, 29)}`;
}
