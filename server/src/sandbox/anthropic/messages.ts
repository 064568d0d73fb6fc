// POST /v1/messages and /v1/messages/count_tokens: checks the request, composes the answer, sends it whole or as a stream.
import { type Exchange, makeRequestId, readHead } from '../http/exchange.ts';
import { isObject } from '../fields/refuse.ts';
import { sendStream, type StreamAnswer } from '../http/send-stream.ts';
import { sendWhole } from '../http/send-whole.ts';
import type { Call } from '../protocol.ts';
import { composeAnswer, type Question } from '../text/compose-answer.ts';
import { makeMessage, writeMessage } from './answer/message.ts';
import { countInput } from './answer/usage.ts';
import { writeEvents } from './answer/write-events.ts';
import { writeError } from './error.ts';
import { checkModel } from './models.ts';
import { checkVersion, type MessageRequest, readCountRequest, readMessageRequest } from './request/message-request.ts';
import { readBlockText } from './request/messages.ts';

export async function answerMessages(call: Call): Promise<void> {
  checkVersion(call);
  const errorBody = writeFailure(call.exchange, 529);
  const write = (status: number) => ({ event: 'error', data: JSON.stringify(writeFailure(call.exchange, status)) });
  await answerMessagesAs(call, { errorBody, writeError: () => write(529), writeThrottle: () => write(429) });
}

/** How a cloud that serves the same models fails and frames, where that is not as here. */
export type Failing = Pick<StreamAnswer, 'writeError' | 'writeThrottle' | 'framing'> & { errorBody: unknown };

export async function answerMessagesAs(call: Call, { errorBody, ...stream }: Failing): Promise<void> {
  const { exchange, behaviour, models } = call;
  const request = readMessageRequest(call);
  checkModel(request.model, models);
  const message = makeMessage(request, composeAnswer(makeQuestion(request), call), call);
  if (!request.stream || behaviour.ignoreStream) {
    return sendWhole(exchange, { body: writeMessage(message), errorBody }, behaviour);
  }
  await sendStream(exchange, { events: writeEvents(message), ...stream }, behaviour);
}

export async function answerCountTokens(call: Call): Promise<void> {
  checkVersion(call);
  const { exchange, behaviour } = call;
  const body = { input_tokens: countMessages(call) };
  await sendWhole(exchange, { body, errorBody: writeFailure(exchange, 529) }, behaviour);
}

/** A body that is only counted may say how much is to be answered, where a cloud wants that. */
export function countMessages(call: Call): number {
  const { max_tokens: _, ...body } = isObject(call.body) ? call.body : {};
  const request = readCountRequest({ ...call, body });
  checkModel(request.model, call.models);
  return countInput(request);
}

/** What a call says that fails after having promised success. */
function writeFailure(exchange: Exchange, status: number): unknown {
  return writeError({ status }, { requestId: makeRequestId(exchange), head: readHead(exchange.request) });
}

export function makeQuestion(request: MessageRequest): Question {
  const { turns, system, thinking } = request;
  // An assistant's turn at the end is one that the sandbox is to go on with.
  const last = turns.findLast(({ role }) => role === 'user');
  const results = last?.blocks.filter(({ type }) => type === 'tool_result') ?? [];
  const isToolResult = results.length > 0;
  const spoken = isToolResult ? results : (last?.blocks.filter(({ type }) => type === 'text') ?? []);
  return {
    ...request,
    text: spoken.map(readBlockText).join('\n'),
    isToolResult,
    instructions: system,
    announcesCalls: true,
    thinkingLimit: thinking?.budget,
  };
}
