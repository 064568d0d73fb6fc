// POST /v1/chat/completions: checks the request, composes the reply, sends it whole or as a stream.
import { sendStream, type StreamEvent } from '../../http/send-stream.ts';
import { sendWhole } from '../../http/send-whole.ts';
import { servedTier, usesOf } from '../../text/server-side.ts';
import type { Call } from '../../protocol.ts';
import { readChatRequest } from './chat-request.ts';
import { composeReply } from './compose-reply.ts';
import { writeError } from '../error.ts';
import { makeId } from '../make-id.ts';
import { checkModel } from '../models.ts';
import { countPromptTokens, writeUsage } from './usage.ts';
import { writeCompletion, writeEvents } from './write-answer.ts';

export async function answerChatCompletions(call: Call): Promise<void> {
  const { exchange, behaviour, body, models, now } = call;
  const request = readChatRequest(body);
  checkModel(request.model, models);
  const reply = composeReply(request, call);
  const answer = {
    id: makeId(call, 'chatcmpl-'),
    created: Math.floor(now / 1000),
    model: request.model,
    choices: reply.choices,
    usage: writeUsage(countPromptTokens(request), reply, behaviour),
    serviceTier: servedTier(request.serviceTier, behaviour, 'default'),
    citations: usesOf(request.serverTools, behaviour).length,
  };
  const errorBody = writeError({ status: 500 });
  if (!request.stream || behaviour.ignoreStream) {
    return sendWhole(exchange, { body: writeCompletion(answer), errorBody }, behaviour);
  }
  const answered = writeEvents(answer, request.includeUsage);
  const events = behaviour.promptFilter ? withPromptFilter(answered) : answered;
  await sendStream(exchange, { events, writeError: () => ({ data: JSON.stringify(errorBody) }) }, behaviour);
}

/** https://learn.microsoft.com/azure/ai-foundry/openai/concepts/content-streaming */
function* withPromptFilter(events: Iterable<StreamEvent>): Generator<StreamEvent> {
  const safe = { filtered: false, severity: 'safe' };
  const results = [{ prompt_index: 0, content_filter_results: { hate: safe, violence: safe } }];
  const chunk = { choices: [], created: 0, id: '', model: '', object: '', prompt_filter_results: results };
  yield { kind: 'opening', data: JSON.stringify(chunk) };
  yield* events;
}
