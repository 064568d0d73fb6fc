// Where turns hold proofs: with their parts, in base64.
import type { JsonObject } from '../../shared/json-fields.ts';
import { ForeignSignatures } from '../translation/foreign-signatures.ts';
import { asRecord, asText, type JsonRecord } from '../json/json-value.ts';
import { readThoughtSignature } from './signature.ts';
import { requiresSignature } from './upstream/write-settings.ts';
import { NO_SIGNATURE } from './upstream/write-messages.ts';
import { NAME } from './wire.ts';

/** What all marks begin with, in base64. */
const MARK = '"dGcx';
const SPELLINGS = ['thoughtSignature', 'thought_signature'];

export function foreignSignaturesIn(json: JsonObject): ForeignSignatures {
  return new ForeignSignatures(json, { mark: MARK, list: 'contents', clean });
}

/** A turn without parts is refused. */
function clean(turn: JsonRecord, upstreamModel: string): JsonRecord | undefined {
  if (!Array.isArray(turn['parts'])) return turn;
  turn['parts'] = turn['parts'].filter((part) => keepOwn(asRecord(part) ?? {}, upstreamModel));
  return (turn['parts'] as unknown[]).length === 0 ? undefined : turn;
}

/** Takes a foreign proof out of a part; false when nothing is left that the model may be shown. */
function keepOwn(part: JsonRecord, upstreamModel: string): boolean {
  const field = SPELLINGS.find((name) => asText(part[name]) !== undefined);
  const reported = field === undefined ? undefined : asText(part[field]);
  if (field === undefined || reported === undefined) return true;
  const { signature, sealed } = readThoughtSignature(reported);
  const kept = signature ?? sealed;
  if (kept?.protocol === NAME) {
    part[field] = kept.value;
    return true;
  }
  delete part[field];
  const call = asRecord(part['functionCall'] ?? part['function_call']);
  if (call !== undefined && requiresSignature(upstreamModel)) part[field] = NO_SIGNATURE;
  return part['thought'] !== true && part['text'] !== '';
}
