// What the sandbox answers to a chat request, before it is put on the wire: pieces of text or tool calls per choice,
// within the request's limits, and the tokens they cost.
import { createHash } from 'node:crypto';
import type { Call } from '../../protocol.ts';
import { sampleFromSchema } from '../../text/sample-from-schema.ts';
import { countTokens, cutIntoTokens } from '../../text/tokens.ts';
import type { ChatRequest } from './chat-request.ts';
import { composeBigText, composeLongTokens, composeText } from './compose-text.ts';
import { readText } from './messages.ts';
import { chooseTools, type ToolFunction } from './tools.ts';

export type ToolCall = {
  id: string;
  name: string;
  /** Of a custom tool: its input. */
  argumentPieces: string[];
  isCustom: boolean;
};

export type Choice = {
  index: number;
  /** Null when the choice consists of tool calls. */
  textPieces: string[] | null;
  toolCalls: ToolCall[];
  finishReason: 'stop' | 'length' | 'tool_calls' | 'error';
};

export type Reply = { choices: Choice[]; completionTokens: number; reasoningTokens: number };

type Draft = Omit<Choice, 'index'> & { tokens: number };

/** What custom tools are called with. */
const SAMPLE_INPUT = 'sample input';

/** All choices together, so that `long` and `n` cannot multiply into more than memory holds. */
const answerTokenLimit = 1_000_000;

export function composeReply(request: ChatRequest, call: Call): Reply {
  const limit = request.maxTokens ?? Infinity;
  const reasoning = Math.min(call.behaviour.reasoningTokens ?? 0, limit);
  const draft = composeDraft(request, call, limit - reasoning);
  const finishReason = call.behaviour.errorFinish ? 'error' : draft.finishReason;
  const choices = Array.from({ length: request.choices }, (_, index) => ({
    index,
    textPieces: draft.textPieces,
    toolCalls: draft.toolCalls.map((toolCall) => ({
      ...toolCall,
      id: index === 0 ? toolCall.id : `${toolCall.id}${index}`,
    })),
    finishReason,
  }));
  return {
    choices,
    completionTokens: (draft.tokens + reasoning) * request.choices,
    reasoningTokens: reasoning * request.choices,
  };
}

function composeDraft(request: ChatRequest, call: Call, limit: number): Draft {
  const { bigBytes, longTokens } = call.behaviour;
  const share = Math.floor(answerTokenLimit / request.choices);
  if (bigBytes !== undefined) {
    const text = composeBigText(Math.floor(bigBytes / request.choices));
    return { textPieces: [text], toolCalls: [], finishReason: 'stop', tokens: countTokens(text) };
  }
  if (longTokens !== undefined) {
    const pieces = composeLongTokens(Math.min(longTokens, limit, share));
    const finishReason = longTokens > limit ? 'length' : 'stop';
    return { textPieces: pieces, toolCalls: [], finishReason, tokens: pieces.length };
  }
  const last = request.messages.at(-1);
  const tools = last?.role === 'user' ? chooseTools({ ...request, text: readText(last) }) : [];
  if (tools.length > 0) return spoilCalls(draftToolCalls(tools, call, limit), call);
  return draftText(composeText(request, call), request.stop, limit);
}

function draftText(text: string, stop: readonly string[], limit: number): Draft {
  const ends = stop.map((sequence) => text.indexOf(sequence)).filter((position) => position >= 0);
  const all = cutIntoTokens(text.slice(0, Math.min(text.length, ...ends)));
  const pieces = all.slice(0, limit);
  const finishReason = all.length > limit ? 'length' : 'stop';
  return { textPieces: pieces, toolCalls: [], finishReason, tokens: pieces.length };
}

function draftToolCalls(tools: readonly ToolFunction[], call: Call, limit: number): Draft {
  const toolCalls: ToolCall[] = [];
  let tokens = 0;
  for (const [index, { name, parameters, isCustom = false }] of tools.entries()) {
    const nameTokens = countTokens(name);
    const sample = isCustom ? SAMPLE_INPUT : JSON.stringify(sampleFromSchema({ type: 'object', ...parameters }));
    const pieces = cutIntoTokens(sample);
    const left = limit - tokens - nameTokens;
    if (left <= 0) return { textPieces: null, toolCalls, finishReason: 'length', tokens };
    const argumentPieces = pieces.slice(0, left);
    toolCalls.push({ id: makeCallId(call, index), name, argumentPieces, isCustom });
    tokens += nameTokens + argumentPieces.length;
    if (pieces.length > left) return { textPieces: null, toolCalls, finishReason: 'length', tokens };
  }
  return { textPieces: null, toolCalls, finishReason: 'tool_calls', tokens };
}

/** The last piece of each call is lost, and nothing says so. */
function spoilCalls(draft: Draft, { behaviour }: Call): Draft {
  if (!behaviour.malformedCall) return draft;
  const toolCalls = draft.toolCalls.map((one) => ({ ...one, argumentPieces: one.argumentPieces.slice(0, -1) }));
  return { ...draft, toolCalls };
}

function makeCallId({ exchange }: Call, index: number): string {
  const seed = `${exchange.record.id}:${exchange.record.rawBody}:${index}`;
  return `call_${createHash('sha256').update(seed).digest('hex').slice(0, 24)}`;
}
