// Why a model stopped, in Cohere's words.
import type { Finish } from '../../neutral/generation.ts';
import type { FinishReason } from '../../neutral/finish-reason.ts';

const WRITTEN: Readonly<Record<FinishReason, string>> = {
  stop: 'COMPLETE',
  length: 'MAX_TOKENS',
  'tool-calls': 'TOOL_CALL',
  // There is no word for it: this one says that something is missing from the answer.
  'content-filter': 'ERROR',
  refusal: 'COMPLETE',
  pause: 'COMPLETE',
  failed: 'ERROR',
  other: 'COMPLETE',
};

export function writeFinishReason({ reason, stopSequence }: Finish): string {
  return reason === 'stop' && stopSequence !== undefined ? 'STOP_SEQUENCE' : WRITTEN[reason];
}
