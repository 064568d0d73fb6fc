// Why a model stopped: this protocol says it by the status of the response and by what is in it.
import type { FinishReason } from '../../neutral/finish-reason.ts';
import { asList, asRecord, type JsonRecord } from '../json-value.ts';

export function readFinishReason(response: JsonRecord): FinishReason {
  if (response['status'] === 'incomplete') {
    const reason = asRecord(response['incomplete_details'])?.['reason'];
    if (reason === 'max_output_tokens') return 'length';
    return reason === 'content_filter' ? 'content-filter' : 'other';
  }
  const items = asList(response['output']).map((one) => asRecord(one) ?? {});
  if (items.some((item) => item['type'] === 'function_call')) return 'tool-calls';
  const parts = items.flatMap((item) => asList(item['content']));
  return parts.some((part) => asRecord(part)?.['type'] === 'refusal') ? 'refusal' : 'stop';
}

/** null where the response is complete. */
export function writeIncompleteReason(reason: FinishReason): string | null {
  if (reason === 'length') return 'max_output_tokens';
  return reason === 'content-filter' || reason === 'refusal' ? 'content_filter' : null;
}
