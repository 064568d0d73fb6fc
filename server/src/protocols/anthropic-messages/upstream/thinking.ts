// How hard to think, in the form that the model takes: adaptive models get the effort as a word, for the others it becomes
// a budget of tokens.
import type { ReasoningRequest } from '../../../neutral/generation.ts';
import { budgetOf, effortOf } from '../../../neutral/reasoning.ts';
import type { JsonRecord } from '../../json/json-value.ts';
import type { ModelTraits } from './model-traits.ts';

const SMALLEST_BUDGET = 1024;
/** Left for the answer where the caller set no limit. */
const ANSWER_TOKENS = 4096;
/** For an effort where the caller set no limit: with room for an answer, the smallest of these models takes it. */
const LARGEST_BUDGET = 24576;
/** Where the caller leaves it to the model, which these cannot choose. */
const USUAL_EFFORT = 'medium';

export interface Thinking {
  /** The field `thinking`, where there is something to say. */
  thinking?: JsonRecord;
  /** The field `output_config.effort`. */
  effort?: string;
  maxTokens: number;
  /** Asked to think, or cannot help it: then some other fields are refused. */
  isOn: boolean;
  /** The request could not be fulfilled, or not as the number that it was. */
  isRefused: boolean;
}

export interface ThinkingLimits {
  /** As the caller set it. */
  maxOutputTokens: number | undefined;
  defaultMaxOutput: number;
}

export function writeThinking(
  request: ReasoningRequest | undefined,
  traits: ModelTraits,
  { maxOutputTokens, defaultMaxOutput }: ThinkingLimits,
): Thinking {
  const maxTokens = maxOutputTokens ?? defaultMaxOutput;
  const off = { maxTokens, isOn: traits.alwaysThinks, isRefused: false };
  if (request === undefined || Object.keys(request).length === 0) return off;
  if (request.effort === 'none' || request.budget === 0) {
    if (traits.alwaysThinks) return { ...off, effort: 'low', isRefused: true };
    // Some think unless it is switched off; the older ones do not know the word.
    return traits.thinking === 'adaptive' ? { ...off, thinking: { type: 'disabled' } } : off;
  }
  if (request.effort === undefined && request.budget === undefined && request.isShown !== true) return off;
  return traits.thinking === 'adaptive'
    ? { ...adaptive(request, traits), maxTokens, isOn: true, isRefused: false }
    : (budgeted(request, maxOutputTokens, defaultMaxOutput) ?? { ...off, isRefused: true });
}

function adaptive(request: ReasoningRequest, { efforts }: ModelTraits): Pick<Thinking, 'thinking' | 'effort'> {
  const display = request.isShown === undefined ? {} : { display: request.isShown ? 'summarized' : 'omitted' };
  const thinking = { type: 'adaptive', ...display };
  const wanted = effortOf(request);
  if (wanted === undefined) return { thinking };
  if (efforts.includes(wanted)) return { thinking, effort: wanted };
  return { thinking, effort: wanted === 'xhigh' ? 'high' : 'low' };
}

/**
 * At least 1024 and less than max_tokens, or the request is refused:
 *
 *     effort   minimal    low  medium   high  xhigh    max
 *     budget      1024   2048    8192  16384  24576  24576
 *
 * An effort takes at most half of a limit that the caller set, where that is enough. The limit itself is what the caller
 * pays for at most and stays: one too small for the smallest budget leaves no room to think.
 */
function budgeted(
  { effort, budget }: ReasoningRequest,
  limit: number | undefined,
  defaultMaxOutput: number,
): Thinking | undefined {
  const isExact = budget !== undefined && budget > 0;
  const byEffort = Math.min(LARGEST_BUDGET, budgetOf({ effort: effort ?? USUAL_EFFORT }) ?? 0);
  const wanted = Math.max(SMALLEST_BUDGET, isExact ? budget : byEffort);
  const of = (tokens: number, maxTokens: number): Thinking => ({
    thinking: { type: 'enabled', budget_tokens: tokens },
    maxTokens,
    isOn: true,
    isRefused: isExact && tokens !== budget,
  });
  if (limit === undefined) return of(wanted, Math.max(defaultMaxOutput, wanted + ANSWER_TOKENS));
  if (isExact && wanted < limit) return of(wanted, limit);
  if (limit <= SMALLEST_BUDGET) return undefined;
  return of(Math.max(SMALLEST_BUDGET, Math.min(wanted, Math.floor(limit / 2))), limit);
}
