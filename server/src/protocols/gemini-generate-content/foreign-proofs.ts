// Where turns hold proofs: with their parts, in base64.
import type { JsonObject } from '../../shared/json-fields.ts';
import { ForeignProofs } from '../translation/foreign-signatures.ts';
import { asRecord, asText, type JsonRecord } from '../json/json-value.ts';
import { readThoughtSignature } from './signature.ts';
import { insistsOnProof } from './upstream/write-config.ts';
import { NO_PROOF } from './upstream/write-contents.ts';
import { NAME } from './wire.ts';

/** What all marks begin with, in base64. */
const MARK = '"dGcx';
const SPELLINGS = ['thoughtSignature', 'thought_signature'];

export function foreignProofsIn(json: JsonObject): ForeignProofs {
  return new ForeignProofs(json, { mark: MARK, list: 'contents', clean });
}

/** A turn without parts is refused. */
function clean(turn: JsonRecord, upstreamModel: string): JsonRecord | undefined {
  if (!Array.isArray(turn['parts'])) return turn;
  turn['parts'] = turn['parts'].filter((part) => keepOwn(asRecord(part) ?? {}, upstreamModel));
  return (turn['parts'] as unknown[]).length === 0 ? undefined : turn;
}

/** Takes a foreign proof out of a part; false when nothing is left that the model may be shown. */
function keepOwn(part: JsonRecord, upstreamModel: string): boolean {
  const place = SPELLINGS.find((name) => asText(part[name]) !== undefined);
  const reported = place === undefined ? undefined : asText(part[place]);
  if (place === undefined || reported === undefined) return true;
  const { signature, sealed } = readThoughtSignature(reported);
  const proof = signature ?? sealed;
  if (proof?.protocol === NAME) {
    part[place] = proof.value;
    return true;
  }
  delete part[place];
  const call = asRecord(part['functionCall'] ?? part['function_call']);
  if (call !== undefined && insistsOnProof(upstreamModel)) part[place] = NO_PROOF;
  return part['thought'] !== true && part['text'] !== '';
}
