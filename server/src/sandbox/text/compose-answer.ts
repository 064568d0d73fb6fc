// What the sandbox answers where an answer may think first and may mix words with calls: thoughts, words, calls and how
// it ends, before any of it is put on a wire.
import { type Asking, composeBigText, composeLongTokens, composeText } from '../openai/chat/compose-text.ts';
import { chooseTools, type ToolChoice, type ToolFunction } from '../openai/chat/tools.ts';
import type { WireObject } from '../fields/refuse.ts';
import { sampleFromSchema } from './sample-from-schema.ts';
import { countTokens, cutIntoTokens } from './tokens.ts';

export type Question = {
  /** The text of the last turn, or what the tools gave. */
  text: string;
  isToolResult: boolean;
  instructions: string | undefined;
  tools: readonly ToolFunction[];
  toolChoice: ToolChoice;
  parallelToolCalls: boolean;
  /** Whether a call of the sandbox's own choice is announced in words. */
  announcesCalls: boolean;
  /** As in chat: undefined for plain text, `{}` for any JSON. */
  answerSchema: WireObject | undefined;
  stop: readonly string[];
  maxTokens: number;
  /** Most tokens of thought; undefined when nobody asked for thinking. */
  thinkingLimit: number | undefined;
};

export type AnswerCall = { name: string; input: unknown; pieces: string[]; isWhole: boolean };

export type Answer = {
  thoughts: string[];
  texts: string[];
  calls: AnswerCall[];
  ending: 'end' | 'length' | 'stop-sequence' | 'calls' | 'malformed-call' | 'refusal' | 'error';
  stopSequence: string | undefined;
  /** Without the thoughts. */
  tokens: number;
};

type Draft = Omit<Answer, 'thoughts'>;

const thought = 'The user expects an answer, so I weigh my words before I speak.';
const refusedTokens = 3;

export function composeAnswer(question: Question, call: Asking): Answer {
  const thoughts = composeThoughts(question, call);
  const limit = question.maxTokens - thoughts.length;
  const draft = composeDraft(question, call, limit);
  const { refusal, errorFinish } = call.behaviour;
  if (refusal !== undefined) {
    const texts = refusal === 'prompt' ? [] : draft.texts.slice(0, refusedTokens);
    const isBlocked = refusal === 'prompt';
    return {
      ...nothing,
      thoughts: isBlocked ? [] : thoughts,
      texts,
      ending: 'refusal',
      tokens: texts.length,
    };
  }
  return { ...draft, thoughts, ending: errorFinish ? 'error' : draft.ending };
}

const nothing: Draft = { texts: [], calls: [], ending: 'length', stopSequence: undefined, tokens: 0 };

function composeThoughts({ thinkingLimit, maxTokens }: Question, { behaviour }: Asking): string[] {
  const wanted = behaviour.reasoningTokens;
  const limit = Math.min(thinkingLimit ?? Infinity, maxTokens);
  if (wanted !== undefined) return composeLongTokens(Math.min(wanted, limit));
  return thinkingLimit === undefined ? [] : cutIntoTokens(thought).slice(0, limit);
}

function composeDraft(question: Question, call: Asking, limit: number): Draft {
  const { bigBytes, longTokens } = call.behaviour;
  if (bigBytes !== undefined) {
    const text = composeBigText(bigBytes);
    return { ...nothing, texts: [text], ending: 'end', tokens: countTokens(text) };
  }
  if (longTokens !== undefined) {
    const texts = composeLongTokens(Math.min(longTokens, limit));
    return { ...nothing, texts, ending: longTokens > limit ? 'length' : 'end', tokens: texts.length };
  }
  const tools = question.isToolResult ? [] : chooseTools({ ...question, text: question.text });
  if (tools.length > 0) return spoilCalls(draftCalls(question, tools, limit), call);
  const messages = [{ role: question.isToolResult ? 'tool' : 'user', content: question.text }];
  if (question.instructions !== undefined) messages.unshift({ role: 'system', content: question.instructions });
  return draftText(composeText({ messages, answerSchema: question.answerSchema }, call), question.stop, limit);
}

/** The last piece of each call is lost. */
function spoilCalls(draft: Draft, { behaviour }: Asking): Draft {
  if (!behaviour.malformedCall) return draft;
  const calls = draft.calls.map((one) => ({ ...one, pieces: one.pieces.slice(0, -1), isWhole: false }));
  return { ...draft, calls, ending: 'malformed-call' };
}

function draftText(text: string, stop: readonly string[], limit: number): Draft {
  const ends = stop
    .map((sequence) => ({ sequence, at: text.indexOf(sequence) }))
    .filter(({ at }) => at >= 0)
    .toSorted((one, other) => one.at - other.at);
  const [first] = ends;
  const all = cutIntoTokens(text.slice(0, first?.at));
  const texts = all.slice(0, limit);
  if (all.length > limit) return { ...nothing, texts, tokens: texts.length };
  const ending = first === undefined ? 'end' : 'stop-sequence';
  return { ...nothing, texts, ending, stopSequence: first?.sequence, tokens: texts.length };
}

function draftCalls(question: Question, tools: readonly ToolFunction[], limit: number): Draft {
  const isOwnChoice = question.toolChoice === 'auto' && question.announcesCalls;
  const announcement = `I will use ${tools.map(({ name }) => name).join(' and ')}.`;
  const texts = isOwnChoice ? cutIntoTokens(announcement).slice(0, limit) : [];
  const calls: AnswerCall[] = [];
  let tokens = texts.length;
  for (const { name, parameters } of tools) {
    const left = limit - tokens - countTokens(name);
    if (left <= 0) return { ...nothing, texts, calls, tokens };
    const input = sampleFromSchema({ type: 'object', ...parameters });
    const all = cutIntoTokens(JSON.stringify(input));
    const isWhole = all.length <= left;
    const pieces = all.slice(0, left);
    calls.push({ name, input, pieces, isWhole });
    tokens += countTokens(name) + pieces.length;
    if (!isWhole) return { ...nothing, texts, calls, tokens };
  }
  return { ...nothing, texts, calls, ending: 'calls', tokens };
}
