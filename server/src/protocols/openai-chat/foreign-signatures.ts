// Where messages hold proofs: in the details of reasoning, and with tool calls.
import { bareSignature, ForeignSignatures } from '../translation/foreign-signatures.ts';
import type { JsonObject } from '../../shared/json-fields.ts';
import { asList, asRecord, asText, type JsonRecord } from '../json/json-value.ts';
import { readCallSignature, writeCallSignature } from './reasoning-details.ts';
import { bareCallSignature } from './upstream/own-signature.ts';
import { CHAT } from './wire.ts';

export function foreignSignaturesIn(json: JsonObject): ForeignSignatures {
  return new ForeignSignatures(json, { mark: '"tg1.', list: 'messages', clean });
}

function clean(message: JsonRecord): JsonRecord {
  if (Array.isArray(message['reasoning_details'])) {
    const kept = message['reasoning_details'].filter((detail) => keepOwn(asRecord(detail) ?? {}));
    if (kept.length > 0) message['reasoning_details'] = kept;
    else delete message['reasoning_details'];
  }
  for (const call of asList(message['tool_calls'])) cleanCall(asRecord(call) ?? {});
  return message;
}

/** Bares the proofs of a detail; false when one is foreign. */
function keepOwn(detail: JsonRecord): boolean {
  return ['signature', 'data'].every((name) => {
    const reported = asText(detail[name]);
    if (reported === undefined) return true;
    const bare = bareSignature(reported, CHAT);
    detail[name] = bare;
    return bare !== undefined;
  });
}

function cleanCall(call: JsonRecord): void {
  const reported = readCallSignature(call);
  if (reported === undefined) return;
  const bare = bareSignature(reported, CHAT);
  if (bare === reported) return;
  if (bare === undefined) delete call['extra_content'];
  else Object.assign(call, writeCallSignature({ protocol: CHAT, value: bareCallSignature(bare) }));
}
