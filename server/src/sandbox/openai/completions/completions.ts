// POST /v1/completions: every prompt is answered as chat answers a user's message, `n` times.
import { sendStream } from '../../http/send-stream.ts';
import { sendWhole } from '../../http/send-whole.ts';
import type { Call } from '../../protocol.ts';
import { cutIntoTokens } from '../../text/tokens.ts';
import { composeReply } from '../chat/compose-reply.ts';
import { writeUsage } from '../chat/usage.ts';
import { writeError } from '../error.ts';
import { makeId } from '../make-id.ts';
import { checkModel } from '../models.ts';
import { type CompletionRequest, type Prompt, readCompletionRequest } from './completion-request.ts';
import { type CompletionChoice, writeCompletion, writeEvents } from './write-completion.ts';

export async function answerCompletions(call: Call): Promise<void> {
  const { exchange, behaviour, body, models, now } = call;
  const request = readCompletionRequest(body);
  checkModel(request.model, models);
  const drafts = request.prompts.map((prompt) => draftChoice(request, prompt, call));
  const promptTokens = request.prompts.reduce((sum, { tokens }) => sum + tokens, 0);
  const perPrompt = request.choicesPerPrompt;
  const completionTokens = perPrompt * drafts.reduce((sum, { tokens }) => sum + tokens, 0);
  const reasoningTokens = perPrompt * drafts.reduce((sum, { reasoning }) => sum + reasoning, 0);
  const answer = {
    id: makeId(call, 'cmpl-'),
    created: Math.floor(now / 1000),
    model: request.model,
    choices: drafts.flatMap(({ choice }) => Array.from({ length: perPrompt }, () => choice)),
    usage: writeUsage(promptTokens, { choices: [], completionTokens, reasoningTokens }, behaviour),
  };
  const errorBody = writeError({ status: 500 });
  if (!request.stream || behaviour.ignoreStream) {
    return sendWhole(exchange, { body: writeCompletion(answer), errorBody }, behaviour);
  }
  const events = writeEvents(answer, request.includeUsage);
  await sendStream(exchange, { events, writeError: () => ({ data: JSON.stringify(errorBody) }) }, behaviour);
}

type DraftChoice = { choice: CompletionChoice; tokens: number; reasoning: number };

function draftChoice(request: CompletionRequest, { text }: Prompt, call: Call): DraftChoice {
  // As many choices as the whole answer has, so that what they share is bounded over all prompts.
  const choices = request.prompts.length * request.choicesPerPrompt;
  const reply = composeReply(
    {
      ...request,
      choices,
      messages: [{ role: 'user', content: text }],
      tools: [],
      toolChoice: 'none',
      parallelToolCalls: false,
      answerSchema: undefined,
      serviceTier: undefined,
      serverTools: [],
    },
    call,
  );
  const [first] = reply.choices;
  const pieces = [...(request.echo ? cutIntoTokens(text) : []), ...(first?.textPieces ?? [])];
  return {
    choice: { pieces, finishReason: first?.finishReason ?? 'stop' },
    tokens: reply.completionTokens / choices,
    reasoning: reply.reasoningTokens / choices,
  };
}
