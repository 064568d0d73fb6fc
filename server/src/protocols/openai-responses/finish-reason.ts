// Why a model stopped: this protocol says it by the status of the response and by what is in it.
import type { FinishReason } from '../../neutral/finish-reason.ts';
import { asList, asRecord, type JsonRecord } from '../json/json-value.ts';

/** What the events before the last one showed. */
export interface Shown {
  callsTools: boolean;
  refuses: boolean;
}

export function readFinishReason(response: JsonRecord, shown?: Shown): FinishReason {
  if (response['status'] === 'incomplete') {
    const reason = asRecord(response['incomplete_details'])?.['reason'];
    if (reason === 'max_output_tokens') return 'length';
    return reason === 'content_filter' ? 'content-filter' : 'other';
  }
  const items = asList(response['output']).map((one) => asRecord(one) ?? {});
  if (shown?.callsTools === true || items.some((item) => item['type'] === 'function_call')) return 'tool-calls';
  const parts = items.flatMap((item) => asList(item['content']));
  const refuses = shown?.refuses === true || parts.some((part) => asRecord(part)?.['type'] === 'refusal');
  return refuses ? 'refusal' : 'stop';
}

/** null where the response is complete; so it is when the model says why it declines. */
export function writeIncompleteReason(reason: FinishReason, saysRefusal: boolean): string | null {
  if (reason === 'length') return 'max_output_tokens';
  if (reason === 'refusal') return saysRefusal ? null : 'content_filter';
  return reason === 'content-filter' || reason === 'failed' ? 'content_filter' : null;
}
