// Where messages hold proofs: in blocks of thinking.
import type { JsonObject } from '../../shared/json-fields.ts';
import { bareProof, ForeignProofs } from '../translation/foreign-signatures.ts';
import { asRecord, asText, type JsonRecord } from '../json/json-value.ts';
import { NAME } from './wire.ts';

const PLACES: ReadonlyMap<unknown, string> = new Map([
  ['thinking', 'signature'],
  ['redacted_thinking', 'data'],
]);

export function foreignProofsIn(json: JsonObject): ForeignProofs {
  return new ForeignProofs(json, { mark: '"tg1.', list: 'messages', clean });
}

/** A turn without content is refused. */
function clean(message: JsonRecord): JsonRecord | undefined {
  if (!Array.isArray(message['content'])) return message;
  message['content'] = message['content'].filter((block) => keepOwn(asRecord(block) ?? {}));
  return (message['content'] as unknown[]).length === 0 ? undefined : message;
}

/** Bares the proof of a block; false when it is foreign. */
function keepOwn(block: JsonRecord): boolean {
  const place = PLACES.get(block['type']);
  const reported = place === undefined ? undefined : asText(block[place]);
  if (place === undefined || reported === undefined) return true;
  const bare = bareProof(reported, NAME);
  block[place] = bare;
  return bare !== undefined;
}
