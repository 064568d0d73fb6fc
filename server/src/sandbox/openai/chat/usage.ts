// The `usage` object: counted by rule from the request and the reply, or spoilt as a behaviour asks.
import type { Behaviour } from '../../scenarios.ts';
import { spoilUsage } from '../../text/spoil-usage.ts';
import { countTokens } from '../../text/tokens.ts';
import type { Reply } from './compose-reply.ts';
import type { ChatRequest } from './chat-request.ts';
import { type ChatMessage, readText } from './messages.ts';
import { isObject } from '../../fields/refuse.ts';

const tokensPerMessage = 4;
const tokensPerReply = 3;
const tokensPerMedia = 85;

export function countPromptTokens({ messages, tools }: Pick<ChatRequest, 'messages' | 'tools'>): number {
  const toolTokens = tools.length === 0 ? 0 : countTokens(JSON.stringify(tools));
  return messages.reduce((sum, message) => sum + countMessage(message), tokensPerReply + toolTokens);
}

function countMessage(message: ChatMessage): number {
  const { content, tool_calls: calls } = message;
  const media = Array.isArray(content) ? content.filter((part) => isObject(part) && part['type'] !== 'text').length : 0;
  const callTokens = Array.isArray(calls) ? countTokens(JSON.stringify(calls)) : 0;
  return tokensPerMessage + countTokens(readText(message)) + media * tokensPerMedia + callTokens;
}

/** Undefined when the behaviour leaves usage out. */
export function writeUsage(promptTokens: number, reply: Reply, behaviour: Behaviour): object | undefined {
  const counts = {
    prompt_tokens: promptTokens,
    completion_tokens: reply.completionTokens,
    total_tokens: promptTokens + reply.completionTokens,
    prompt_tokens_details: { cached_tokens: Math.min(behaviour.cachedTokens ?? 0, promptTokens), audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: reply.reasoningTokens,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
  return spoilUsage(counts, behaviour);
}
