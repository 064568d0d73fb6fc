// The service tier that a request asks for.
import { readTier } from '../neutral/service-tier.ts';
import type { JsonObject } from '../shared/json-fields.ts';
import { presentField, readValue } from './json-request.ts';
import type { AskedTier } from './protocol.ts';

export interface TierFact {
  serviceTier?: AskedTier;
}

/** Nothing where the field is absent; what is no name is a tier that nobody has a price for. */
export function readAskedTier(json: JsonObject, field: string): TierFact {
  if (presentField(json, field) === undefined) return NONE;
  return { serviceTier: { name: readTier(readValue(json, field)) ?? '', field } };
}

const NONE: TierFact = {};
