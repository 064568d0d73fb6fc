// POST /v1/messages and /v1/messages/count_tokens: checks the request, composes the answer, sends it whole or as a stream.
import { type Exchange, makeRequestId, readHead } from '../http/exchange.ts';
import { sendStream } from '../http/send-stream.ts';
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
  const { exchange, behaviour, models } = call;
  const request = readMessageRequest(call);
  checkModel(request.model, models);
  const message = makeMessage(request, composeAnswer(makeQuestion(request), call), call);
  const errorBody = writeFailure(exchange);
  if (!request.stream || behaviour.ignoreStream) {
    return sendWhole(exchange, { body: writeMessage(message), errorBody }, behaviour);
  }
  const error = { event: 'error', data: JSON.stringify(errorBody) };
  await sendStream(exchange, { events: writeEvents(message), writeError: () => error }, behaviour);
}

export async function answerCountTokens(call: Call): Promise<void> {
  checkVersion(call);
  const { exchange, behaviour, models } = call;
  const request = readCountRequest(call);
  checkModel(request.model, models);
  const errorBody = writeFailure(exchange);
  await sendWhole(exchange, { body: { input_tokens: countInput(request) }, errorBody }, behaviour);
}

/** What a call says that fails after having promised success. */
function writeFailure(exchange: Exchange): unknown {
  return writeError({ status: 529 }, { requestId: makeRequestId(exchange), head: readHead(exchange.request) });
}

function makeQuestion(request: MessageRequest): Question {
  const { turns, system, thinking } = request;
  // An assistant's turn at the end is one that the sandbox is to go on with.
  const last = turns.findLast(({ role }) => role === 'user');
  const results = last?.blocks.filter(({ type }) => type === 'tool_result') ?? [];
  const isToolResult = results.length > 0;
  const spoken = isToolResult ? results : (last?.blocks.filter(({ type }) => type === 'text') ?? []);
  return {
    ...request,
    said: spoken.map(readBlockText).join('\n'),
    isToolResult,
    instructions: system,
    announcesCalls: true,
    thinkingLimit: thinking?.budget,
  };
}
