// What raises the cost of a message beside its tokens, all of it reported in its usage.
import { PLAIN_TIER, readTier } from '../../neutral/service-tier.ts';
import type { Extras } from '../../neutral/usage.ts';
import { asRecord } from '../json/json-value.ts';
import { readToolUses } from '../stream/tool-uses.ts';

/** The fast mode costs as a tier of that name does. */
export function readExtras(value: unknown): Extras | undefined {
  const usage = asRecord(value);
  if (usage === undefined) return undefined;
  const speed = readTier(usage['speed']);
  const serviceTier = speed === undefined || speed === PLAIN_TIER ? readTier(usage['service_tier']) : speed;
  const toolUses = readToolUses(usage);
  return serviceTier === undefined && toolUses === undefined ? undefined : { serviceTier, toolUses };
}
