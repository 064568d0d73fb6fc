// Where input items hold proofs: sealed in those of reasoning.
import { readProof } from '../../neutral/signature.ts';
import type { JsonObject } from '../../shared/json-fields.ts';
import { ForeignProofs } from '../translation/foreign-signatures.ts';
import type { JsonRecord } from '../json/json-value.ts';
import { sealOf, writeSealedItem } from './reasoning.ts';
import { RESPONSES } from './wire.ts';

/** What the marks of signatures and of sealed reasoning begin with. */
const MARK = '"tg1';

export function foreignProofsIn(json: JsonObject): ForeignProofs {
  return new ForeignProofs(json, { mark: MARK, list: 'input', clean });
}

function clean(item: JsonRecord): JsonRecord | undefined {
  const reported = item['type'] === 'reasoning' ? sealOf(item) : undefined;
  if (reported === undefined) return item;
  const { signature, sealed } = readProof(reported, RESPONSES);
  const proof = signature ?? sealed;
  if (proof?.protocol !== RESPONSES) return undefined;
  if (proof.value === reported) return item;
  const { id, encrypted_content } = writeSealedItem('', proof);
  return { ...item, ...(id !== undefined && { id }), encrypted_content };
}
