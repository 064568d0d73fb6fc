// Why a model stopped, both directions. https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons
import type { FinishReason } from '../../neutral/finish-reason.ts';
import type { Finish } from '../../neutral/generation.ts';
import { asText, type JsonRecord } from '../json/json-value.ts';

const REASONS: ReadonlyMap<unknown, FinishReason> = new Map([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['tool_use', 'tool-calls'],
  ['pause_turn', 'pause'],
  ['refusal', 'refusal'],
]);

const WORDS: Readonly<Record<FinishReason, string>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  'tool-calls': 'tool_use',
  'content-filter': 'refusal',
  refusal: 'refusal',
  pause: 'pause_turn',
  failed: 'refusal',
  other: 'end_turn',
};

const FAILED = 'The model broke off with output that cannot be used. Ask again.';

/** From the fields `stop_reason` and `stop_sequence`. */
export function readFinish(stop: JsonRecord): Finish {
  const reason = REASONS.get(stop['stop_reason']) ?? 'other';
  const stopSequence = asText(stop['stop_sequence']);
  return stopSequence === undefined ? { reason } : { reason, stopSequence };
}

export interface Ending {
  /** The answer calls tools: some upstreams only say that they stopped. */
  callsTools: boolean;
  /** What the model said when it declined. */
  refusal: string | undefined;
}

export function writeFinish({ reason, stopSequence }: Finish, ending: Ending): JsonRecord {
  const word = wordOf(reason, stopSequence, ending);
  return {
    stop_reason: word,
    stop_sequence: word === 'stop_sequence' ? stopSequence : null,
    stop_details: word === 'refusal' ? { type: 'refusal', category: null, explanation: explain(reason, ending) } : null,
  };
}

function explain(reason: FinishReason, { refusal }: Ending): string | null {
  return refusal ?? (reason === 'failed' ? FAILED : null);
}

function wordOf(reason: FinishReason, stopSequence: string | undefined, { callsTools, refusal }: Ending): string {
  if (refusal !== undefined) return 'refusal';
  if (reason !== 'stop' && reason !== 'other') return WORDS[reason];
  if (callsTools) return 'tool_use';
  return stopSequence === undefined ? WORDS[reason] : 'stop_sequence';
}
