// Why a model stopped, in the words of chat completions and back.
import type { FinishReason } from '../../neutral/finish-reason.ts';

const READ: ReadonlyMap<string, FinishReason> = new Map([
  ['stop', 'stop'],
  ['length', 'length'],
  ['tool_calls', 'tool-calls'],
  ['function_call', 'tool-calls'],
  ['content_filter', 'content-filter'],
  ['error', 'failed'],
  ['insufficient_system_resource', 'failed'],
]);

const WRITTEN: Readonly<Record<FinishReason, string>> = {
  stop: 'stop',
  length: 'length',
  'tool-calls': 'tool_calls',
  'content-filter': 'content_filter',
  refusal: 'content_filter',
  pause: 'stop',
  // Strict clients know no fifth word: this one says that something is missing from the answer.
  failed: 'content_filter',
  other: 'stop',
};

/** What else the answer shows of why it ended. */
export interface Shown {
  callsTools: boolean;
  refuses: boolean;
}

/** Some providers say `stop` whatever they did. */
export function readFinishReason(reason: string | undefined, { callsTools, refuses }: Shown): FinishReason {
  const read = reason === undefined ? 'stop' : (READ.get(reason) ?? 'other');
  if (read !== 'stop') return read;
  if (callsTools) return 'tool-calls';
  return refuses ? 'refusal' : 'stop';
}

/** A model that says why it declines has come to its end as usual; one that was silenced has not. */
export function writeFinishReason(reason: FinishReason, saysRefusal: boolean): string {
  return reason === 'refusal' && saysRefusal ? 'stop' : WRITTEN[reason];
}
