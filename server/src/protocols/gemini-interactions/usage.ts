// Usage of an interaction: the counts of generate-content under other names. https://ai.google.dev/api/interactions-api
import type { Extras, TokenUsage } from '../../neutral/usage.ts';
import { readTier } from '../../neutral/service-tier.ts';
import { isDoubtful as isDoubtfulContent, readUsage as readContentUsage } from '../gemini-generate-content/usage.ts';
import { asCount, asList, asRecord, asText, type JsonRecord } from '../json/json-value.ts';
import { addUses, usesOrNone } from '../stream/tool-uses.ts';
import { pricedName } from './wire.ts';

export function readUsage(usage: unknown): TokenUsage | undefined {
  return readContentUsage(asContent(usage));
}

export function isDoubtful(usage: unknown): boolean {
  return readUsage(usage) === undefined && isDoubtfulContent(asContent(usage));
}

/** The names of generate-content. Thoughts are counted beside the output. */
function asContent(usage: unknown): JsonRecord | undefined {
  const reported = asRecord(usage);
  if (reported === undefined) return undefined;
  return {
    promptTokenCount: reported['total_input_tokens'],
    toolUsePromptTokenCount: reported['total_tool_use_tokens'],
    candidatesTokenCount: reported['total_output_tokens'],
    thoughtsTokenCount: reported['total_thought_tokens'],
    cachedContentTokenCount: reported['total_cached_tokens'],
    totalTokenCount: reported['total_tokens'],
    promptTokensDetails: details(reported['input_tokens_by_modality']),
    toolUsePromptTokensDetails: details(reported['tool_use_tokens_by_modality']),
    candidatesTokensDetails: details(reported['output_tokens_by_modality']),
  };
}

function details(byModality: unknown): JsonRecord[] {
  return asList(byModality).map((one) => {
    const { modality, tokens } = asRecord(one) ?? {};
    return { modality: asText(modality)?.toUpperCase(), tokenCount: tokens };
  });
}

/** The tier that served it, and uses of the provider's own tools. */
export function readExtras(interaction: JsonRecord): Extras | undefined {
  const uses: Record<string, number> = {};
  for (const one of asList(asRecord(interaction['usage'])?.['grounding_tool_count'])) {
    const { type, count } = asRecord(one) ?? {};
    addUses(uses, pricedName(asText(type) ?? ''), asCount(count) ?? 0);
  }
  const toolUses = usesOrNone(uses);
  const serviceTier = readTier(interaction['service_tier']);
  return serviceTier === undefined && toolUses === undefined ? undefined : { serviceTier, toolUses };
}
