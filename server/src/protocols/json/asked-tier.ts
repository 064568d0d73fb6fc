// The service tiers that a request asks for: most protocols have one field for that, some have two.
import { readTier } from '../../neutral/service-tier.ts';
import type { JsonObject } from '../../shared/json-fields.ts';
import { presentField, readValue } from './json-request.ts';
import type { RelayRequest } from '../protocol.ts';

type TierFact = Pick<RelayRequest, 'serviceTiers'>;

/** Nothing where the fields are absent; what is no name is a tier that nobody has a price for. */
export function readAskedTiers(json: JsonObject, ...fields: readonly string[]): TierFact {
  const serviceTiers = fields
    .filter((field) => presentField(json, field) !== undefined)
    .map((field) => ({ name: readTier(readValue(json, field)) ?? '', field }));
  return serviceTiers.length === 0 ? NONE : { serviceTiers };
}

const NONE: TierFact = {};
