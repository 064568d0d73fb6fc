// What a response consists of: one message or calls of tools, in the words and by the rules of chat.
import type { WireObject } from '../../fields/refuse.ts';
import type { Call } from '../../protocol.ts';
import { composeReply } from '../chat/compose-reply.ts';
import type { ChatMessage } from '../chat/messages.ts';
import { countPromptTokens } from '../chat/usage.ts';
import { spoilUsage } from '../../text/spoil-usage.ts';
import { usesOf } from '../../text/server-side.ts';
import { makeId } from '../make-id.ts';
import { writeMessages } from './input-items.ts';
import type { ResponseRequest } from './response-request.ts';

export type OutputItem =
  | { type: 'server_call'; id: string; tool: string }
  | { type: 'message'; id: string; pieces: string[] }
  | { type: 'function_call' | 'custom_tool_call'; id: string; callId: string; name: string; pieces: string[] };

export type Output = {
  items: OutputItem[];
  status: 'completed' | 'incomplete' | 'failed';
  usage: object | undefined;
};

export function composeOutput(request: ResponseRequest, conversation: readonly WireObject[], call: Call): Output {
  const { tools } = request;
  const system: ChatMessage[] =
    request.instructions === undefined ? [] : [{ role: 'system', content: request.instructions }];
  const messages = [...system, ...writeMessages(conversation)];
  const reply = composeReply(
    {
      ...request,
      messages,
      includeUsage: true,
      choices: 1,
      stop: [],
    },
    call,
  );
  const [choice] = reply.choices;
  const items: OutputItem[] = usesOf(request.serverTools, call.behaviour).map((tool, index) => {
    return { type: 'server_call', id: makeId(call, 'ws_', String(index)), tool };
  });
  for (const [index, { id: callId, name, argumentPieces: pieces, isCustom }] of (choice?.toolCalls ?? []).entries()) {
    const type = isCustom ? 'custom_tool_call' : 'function_call';
    items.push({ type, id: makeId(call, isCustom ? 'ctc_' : 'fc_', String(index)), callId, name, pieces });
  }
  if (choice?.textPieces) items.push({ type: 'message', id: makeId(call, 'msg_'), pieces: choice.textPieces });
  const inputTokens = countPromptTokens({ messages, tools });
  const usage = {
    input_tokens: inputTokens,
    input_tokens_details: {
      cached_tokens: Math.min(call.behaviour.cachedTokens ?? 0, inputTokens),
      cache_write_tokens: 0,
    },
    output_tokens: reply.completionTokens,
    output_tokens_details: { reasoning_tokens: reply.reasoningTokens },
    total_tokens: inputTokens + reply.completionTokens,
  };
  return { items, status: readStatus(choice?.finishReason), usage: spoilUsage(usage, call.behaviour) };
}

function readStatus(finishReason: string | undefined): Output['status'] {
  if (finishReason === 'error') return 'failed';
  return finishReason === 'length' ? 'incomplete' : 'completed';
}
