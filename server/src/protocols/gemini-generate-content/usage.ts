// Usage, both directions. Thoughts are counted beside the answer on this wire, and zeros are left out.
import type { TokenUsage } from '../../neutral/usage.ts';
import { asCount, asList, asRecord, type JsonRecord } from '../json/json-value.ts';
import { claimsImpossible, MAX_TOKENS, mergeCounts } from '../stream/merge-counts.ts';

const COUNTS = [
  'promptTokenCount',
  'toolUsePromptTokenCount',
  'candidatesTokenCount',
  'thoughtsTokenCount',
  'cachedContentTokenCount',
  'totalTokenCount',
];

/** The `usageMetadata` of an answer; undefined when it cannot be charged by. */
export function readUsage(value: unknown): TokenUsage | undefined {
  const reported = asRecord(value);
  if (reported?.['promptTokenCount'] === undefined || !COUNTS.every((name) => isPlausible(reported[name])))
    return undefined;
  const count = (name: string): number => asCount(reported[name]) ?? 0;
  const input = count('promptTokenCount') + count('toolUsePromptTokenCount');
  const reasoning = count('thoughtsTokenCount');
  // Where only the sum is reported, the rest follows from it.
  const answer = asCount(reported['candidatesTokenCount']) ?? Math.max(0, count('totalTokenCount') - input - reasoning);
  const output = answer + reasoning;
  const inputs = [...asList(reported['promptTokensDetails']), ...asList(reported['toolUsePromptTokensDetails'])];
  const outputs = asList(reported['candidatesTokensDetails']);
  return {
    input,
    output,
    cachedInput: Math.min(input, count('cachedContentTokenCount')),
    cacheWrite: 0,
    audioInput: Math.min(input, countOf(inputs, 'AUDIO')),
    audioOutput: Math.min(output, countOf(outputs, 'AUDIO')),
    imageInput: Math.min(input, countOf(inputs, 'IMAGE')),
    imageOutput: Math.min(output, countOf(outputs, 'IMAGE')),
    reasoning,
  };
}

/** Counts that cannot be: there is no usage then. */
export function isDoubtful(reported: unknown): boolean {
  return claimsImpossible(reported, COUNTS);
}

const INPUTS = ['promptTokenCount', 'toolUsePromptTokenCount', 'cachedContentTokenCount', 'promptTokensDetails'];

/** What the pieces of a stream have reported so far: the last value of each field. */
export class ReportedUsage {
  usage: TokenUsage | undefined;
  #counts: JsonRecord = {};
  #claimsImpossible = false;

  get isDoubtful(): boolean {
    return this.usage === undefined && this.#claimsImpossible;
  }

  add(reported: unknown): void {
    const counts = asRecord(reported);
    if (counts === undefined) return;
    // A newer sum says more than an older part of it.
    const { candidatesTokenCount: _, ...rest } = this.#counts;
    const isSum = (asCount(counts['totalTokenCount']) ?? 0) > 0 && counts['candidatesTokenCount'] === undefined;
    const merged = mergeCounts(isSum ? rest : this.#counts, counts, INPUTS);
    const usage = readUsage(merged);
    this.#claimsImpossible ||= isDoubtful(reported);
    if (usage === undefined) return;
    this.#counts = merged;
    this.usage = usage;
  }
}

export function writeUsage(usage: TokenUsage): JsonRecord {
  const { input, output, reasoning, cachedInput } = usage;
  return {
    promptTokenCount: input,
    candidatesTokenCount: Math.max(0, output - reasoning),
    totalTokenCount: input + output,
    ...(cachedInput > 0 && { cachedContentTokenCount: cachedInput }),
    promptTokensDetails: writeDetails(input, { AUDIO: usage.audioInput, IMAGE: usage.imageInput }),
    ...(reasoning > 0 && { thoughtsTokenCount: reasoning }),
  };
}

function writeDetails(all: number, others: Record<string, number>): JsonRecord[] {
  const reported = Object.entries(others).filter(([, tokenCount]) => tokenCount > 0);
  const text = reported.reduce((left, [, tokenCount]) => left - tokenCount, all);
  return [['TEXT', Math.max(0, text)] as const, ...reported].map(([modality, tokenCount]) => ({
    modality,
    tokenCount,
  }));
}

function isPlausible(value: unknown): boolean {
  return value === undefined || value === null || (asCount(value) ?? Infinity) <= MAX_TOKENS;
}

function countOf(details: readonly unknown[], modality: string): number {
  return details.reduce<number>((sum, one) => {
    const detail = asRecord(one);
    return detail?.['modality'] === modality ? sum + (asCount(detail['tokenCount']) ?? 0) : sum;
  }, 0);
}
