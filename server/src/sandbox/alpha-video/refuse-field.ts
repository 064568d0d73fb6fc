// Refusals of single fields in the family's words.
import type { WireObject } from '../fields/refuse.ts';
import { Refusal } from '../refusal.ts';

export function refuseField(field: string, why: string): never {
  throw new Refusal({ status: 400, code: 'InvalidParameter', param: field, message: `${field} ${why}.` });
}

/** `at` is where the object stands: empty, or a path with a point at its end. */
export function refuseOtherFields(object: WireObject, known: readonly string[], at: string): void {
  const other = Object.keys(object).find((name) => !known.includes(name));
  if (other !== undefined) refuseField(`${at}${other.slice(0, 100)}`, 'is not supported');
}
