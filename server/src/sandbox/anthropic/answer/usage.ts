// The `usage` object: counted by rule, cached input apart from the rest as this protocol has it.
import type { Answer } from '../../text/compose-answer.ts';
import { type CountedTurn, countPrompt } from '../../text/count-prompt.ts';
import { spoilUsage } from '../../text/spoil-usage.ts';
import type { Behaviour } from '../../scenarios.ts';
import { readBlockText } from '../request/messages.ts';
import { servedTier, usesOf } from '../../text/server-side.ts';
import type { CountRequest, MessageRequest } from '../request/message-request.ts';

export function countInput({ turns, system, tools }: CountRequest): number {
  const instructions: CountedTurn[] = system === undefined ? [] : [{ texts: [system], media: 0, values: [] }];
  const counted = turns.map(({ blocks }) => ({
    texts: blocks.map(readBlockText),
    media: blocks.filter(({ type }) => type === 'image' || type === 'document').length,
    values: blocks.filter(({ type }) => type === 'tool_use').map(({ name, input }) => ({ name, input })),
  }));
  return countPrompt([...instructions, ...counted], tools);
}

export type Usage = { atStart: object | undefined; atEnd: object | undefined; whole: object | undefined };

const nothingYet = { output_tokens_details: null, server_tool_use: null };

/** Each undefined when the behaviour leaves usage out. */
export function writeUsage(request: MessageRequest, answer: Answer, behaviour: Behaviour): Usage {
  const prompt = countInput(request);
  const read = Math.min(behaviour.cachedTokens ?? 0, prompt);
  const written = Math.min(behaviour.cacheWriteTokens ?? 0, prompt - read);
  const isLong = request.cacheTtl === '1h';
  const input = {
    input_tokens: prompt - read - written,
    cache_creation_input_tokens: written,
    cache_read_input_tokens: read,
  };
  const creation = {
    ephemeral_5m_input_tokens: isLong ? 0 : written,
    ephemeral_1h_input_tokens: isLong ? written : 0,
  };
  const late = {
    input_tokens: prompt,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
  };
  const output = answer.thoughts.length + answer.tokens;
  const thinking = answer.thoughts.length === 0 ? null : { thinking_tokens: answer.thoughts.length };
  const details = { output_tokens_details: thinking };
  const spoil = (usage: Record<string, unknown>): object | undefined => spoilUsage(usage, behaviour);
  const tier = { service_tier: servedTier(undefined, behaviour, 'standard'), speed: request.isFast ? 'fast' : null };
  const standing = { ...input, cache_creation: creation, inference_geo: 'not_available', ...tier };
  const tools = writeToolUse(usesOf(request.serverTools, behaviour));
  return {
    atStart: spoil({
      ...standing,
      ...(behaviour.lateCache && late),
      output_tokens: Math.min(1, output),
      ...nothingYet,
    }),
    atEnd: spoil({ ...input, output_tokens: output, ...details, ...tools }),
    whole: spoil({ ...standing, output_tokens: output, ...details, ...tools }),
  };
}

/** Only what was used is reported; the service counts searches and fetches. */
function writeToolUse(uses: readonly string[]): object {
  if (uses.length === 0) return { server_tool_use: null };
  const count = (name: string): number => uses.filter((one) => one === name).length;
  return { server_tool_use: { web_search_requests: count('web_search'), web_fetch_requests: count('web_fetch') } };
}
