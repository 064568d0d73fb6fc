// Usage as chat completions show it.
import type { TokenUsage } from '../../neutral/usage.ts';
import type { JsonRecord } from '../json/json-value.ts';

export function writeUsage(usage: TokenUsage): JsonRecord {
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: {
      cached_tokens: usage.cachedInput,
      audio_tokens: usage.audioInput,
      ...(usage.cacheWrite > 0 && { cache_write_tokens: usage.cacheWrite }),
    },
    completion_tokens_details: {
      reasoning_tokens: usage.reasoning,
      audio_tokens: usage.audioOutput,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}
