// Why a model stopped.
import type { FinishReason } from '../../neutral/finish-reason.ts';

const REASONS: ReadonlyMap<unknown, FinishReason> = new Map<unknown, FinishReason>([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['tool_use', 'tool-calls'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['guardrail_intervened', 'content-filter'],
  ['content_filtered', 'content-filter'],
  ['malformed_model_output', 'failed'],
  ['malformed_tool_use', 'failed'],
]);

export function readReason(stopReason: unknown): FinishReason {
  return REASONS.get(stopReason) ?? 'other';
}
