// Where input items hold proofs: sealed in those of reasoning.
import { readSignatureOrSeal } from '../../neutral/signature.ts';
import type { JsonObject } from '../../shared/json-fields.ts';
import { ForeignSignatures } from '../translation/foreign-signatures.ts';
import type { JsonRecord } from '../json/json-value.ts';
import { sealOf, writeSealedItem } from './reasoning.ts';
import { RESPONSES } from './wire.ts';

/** What the marks of signatures and of sealed reasoning begin with. */
const MARK = '"tg1';

export function foreignSignaturesIn(json: JsonObject): ForeignSignatures {
  return new ForeignSignatures(json, { mark: MARK, list: 'input', clean });
}

function clean(item: JsonRecord): JsonRecord | undefined {
  const reported = item['type'] === 'reasoning' ? sealOf(item) : undefined;
  if (reported === undefined) return item;
  const { signature, sealed } = readSignatureOrSeal(reported, RESPONSES);
  const kept = signature ?? sealed;
  if (kept?.protocol !== RESPONSES) return undefined;
  if (kept.value === reported) return item;
  const { id, encrypted_content } = writeSealedItem('', kept);
  return { ...item, ...(id !== undefined && { id }), encrypted_content };
}
