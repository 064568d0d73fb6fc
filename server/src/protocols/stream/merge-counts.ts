// The counts that the events of one stream report, put together: of each field the last value, since an upstream that learns
// of its cache late moves tokens from one field to another.
import { asCount, asRecord, type JsonRecord } from '../json/json-value.ts';

/** More than any model can take or give: a larger count is a fault of the upstream, not a price to pay. */
export const MAX_TOKENS = 1e12;

/**
 * `inputs` are the fields that make up the input together. Some upstreams report 0 in all of them at the end: no prompt is
 * empty, so that is no report. Nor is what cannot be true, nor 0 for what had been counted: only tokens of the input move
 * from one field to another, output that was made stays made.
 */
export function mergeCounts(before: JsonRecord, reported: unknown, inputs: readonly string[]): JsonRecord {
  const usage = asRecord(reported);
  if (usage === undefined) return before;
  const merged: JsonRecord = { ...before };
  const hasInput = inputs.some((name) => (believable(usage[name]) ?? 0) > 0);
  for (const [name, value] of Object.entries(usage)) {
    if (value === null || (believable(merged[name]) !== undefined && believable(value) === undefined)) continue;
    if (!hasInput && inputs.includes(name) && merged[name] !== undefined) continue;
    if (value === 0 && !inputs.includes(name) && (believable(merged[name]) ?? 0) > 0) continue;
    merged[name] = value;
  }
  return merged;
}

/** undefined for what no count can be, or no part of a count of `most`. */
export function believable(value: unknown, most = MAX_TOKENS): number | undefined {
  const count = asCount(value);
  return count === undefined || count > most ? undefined : count;
}

/** Does a report of usage claim what no count can be in one of these fields? One that leaves them out claims nothing. */
export function claimsImpossible(reported: unknown, names: readonly string[]): boolean {
  const usage = asRecord(reported) ?? {};
  return names.some(
    (name) => usage[name] !== undefined && usage[name] !== null && believable(usage[name]) === undefined,
  );
}
