// Where messages hold proofs: in blocks of thinking.
import type { JsonObject } from '../../shared/json-fields.ts';
import { bareSignature, ForeignSignatures } from '../translation/foreign-signatures.ts';
import { asRecord, asText, type JsonRecord } from '../json/json-value.ts';
import { NAME } from './wire.ts';

const FIELDS: ReadonlyMap<unknown, string> = new Map([
  ['thinking', 'signature'],
  ['redacted_thinking', 'data'],
]);

export function foreignSignaturesIn(json: JsonObject): ForeignSignatures {
  return new ForeignSignatures(json, { mark: '"tg1.', list: 'messages', clean });
}

/** A turn without content is refused. */
function clean(message: JsonRecord): JsonRecord | undefined {
  if (!Array.isArray(message['content'])) return message;
  message['content'] = message['content'].filter((block) => keepOwn(asRecord(block) ?? {}));
  return (message['content'] as unknown[]).length === 0 ? undefined : message;
}

/** Bares the proof of a block; false when it is foreign. */
function keepOwn(block: JsonRecord): boolean {
  const field = FIELDS.get(block['type']);
  const reported = field === undefined ? undefined : asText(block[field]);
  if (field === undefined || reported === undefined) return true;
  const bare = bareSignature(reported, NAME);
  block[field] = bare;
  return bare !== undefined;
}
