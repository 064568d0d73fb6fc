// What models behind Converse take, read from the upstream's name of the model: what the protocol has no field of its own
// for goes into fields of the model. A name that tells nothing gets none of them.
import type { ReasoningRequest } from '../../../neutral/generation.ts';
import { effortOf } from '../../../neutral/reasoning.ts';
import type { JsonRecord } from '../../json/json-value.ts';

export interface ModelTraits {
  /** Can be held to a schema of the answer. */
  takesSchemas: boolean;
  /** Keeps what is marked by a cache point; others refuse it. */
  takesCachePoints: boolean;
  /** The model's fields for how hard to think; undefined where it has none. */
  writeReasoning(request: ReasoningRequest): JsonRecord | undefined;
  writeTopK(topK: number): JsonRecord | undefined;
}

/** https://docs.aws.amazon.com/bedrock/latest/userguide/structured-output.html */
const SCHEMAS =
  /(?:^|\.)(?:openai\.gpt-oss|qwen\.|deepseek\.|mistral\.|minimax\.|moonshot|nvidia\.|google\.gemma|zai\.)/;
const NOVA = /(?:^|\.)amazon\.nova-/;
const NOVA_2 = /(?:^|\.)amazon\.nova-2/;
const GPT_OSS = /(?:^|\.)openai\.gpt-oss/;

export function traitsOf(model: string): ModelTraits {
  const isNova = NOVA.test(model);
  return {
    takesSchemas: SCHEMAS.test(model),
    takesCachePoints: isNova,
    writeReasoning(request) {
      const effort = effortOf(request);
      if (NOVA_2.test(model)) return writeNova(effort);
      if (GPT_OSS.test(model) && effort !== undefined && effort !== 'none') return { reasoning_effort: usual(effort) };
      return undefined;
    },
    writeTopK: (topK) => (isNova ? { inferenceConfig: { topK } } : undefined),
  };
}

/** https://docs.aws.amazon.com/nova/latest/nova2-userguide/extended-thinking.html */
function writeNova(effort: string | undefined): JsonRecord {
  if (effort === 'none') return { reasoningConfig: { type: 'disabled' } };
  return { reasoningConfig: { type: 'enabled', maxReasoningEffort: usual(effort ?? 'medium') } };
}

function usual(effort: string): string {
  if (effort === 'minimal') return 'low';
  return effort === 'xhigh' || effort === 'max' ? 'high' : effort;
}
