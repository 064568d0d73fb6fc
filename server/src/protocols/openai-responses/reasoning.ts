// Items of type `reasoning`. What is sealed in one can only be sent back under the id that came with it, so the two make
// one signature.
import type { Signature } from '../../neutral/conversation.ts';
import { asList, asRecord, asText, type JsonRecord } from '../json/json-value.ts';
import { RESPONSES } from './wire.ts';

/** Summaries and, where the provider shows it, the reasoning itself. */
export function reasoningText(item: JsonRecord): string {
  return [...asList(item['summary']), ...asList(item['content'])]
    .map((one) => asText(asRecord(one)?.['text']) ?? '')
    .filter((text) => text !== '')
    .join('\n\n');
}

export function sealOf(item: JsonRecord): string | undefined {
  return asText(item['encrypted_content']) || undefined;
}

export function signatureOf(item: JsonRecord, sealed: string): Signature {
  return { protocol: RESPONSES, value: `${asText(item['id']) ?? ''}:${sealed}` };
}

/** The item again, from its text and a signature of this protocol. */
export function writeSealedItem(text: string, { value }: Signature): JsonRecord {
  const mark = value.indexOf(':');
  const id = value.slice(0, Math.max(0, mark));
  const summary = text === '' ? [] : [{ type: 'summary_text', text }];
  return { type: 'reasoning', ...(id !== '' && { id }), summary, encrypted_content: value.slice(mark + 1) };
}
