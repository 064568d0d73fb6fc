// Checks of a vendor's request, field by field: what is not in the table is refused, so that a gateway which leaks fields is
// found out. https pages of each vendor are named in its own file.
import { isObject, type WireObject } from '../fields/refuse.ts';
import { type Failure, Refusal } from '../refusal.ts';

export type Check = (value: unknown) => boolean;

export const text: Check = (value) => typeof value === 'string' && value.trim() !== '';
export const flag: Check = (value) => typeof value === 'boolean';
export const list: Check = Array.isArray;
export const object: Check = isObject;
export const link: Check = (value) => typeof value === 'string' && /^(?:https?:\/\/|data:.)/i.test(value);
export const whole =
  (least: number, most: number): Check =>
  (value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most;
export const numeric =
  (least: number, most: number): Check =>
  (value) =>
    typeof value === 'number' && value >= least && value <= most;
export const among =
  (...allowed: readonly unknown[]): Check =>
  (value) =>
    allowed.includes(value);
/** Every field of the object is in the table. */
export const shape =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isObject(value) && Object.entries(value).every(([name, one]) => checks[name]?.(one) === true);

/** A text among the fields, or what stands for it where it is absent. */
export function wordIn(body: WireObject, name: string, fallback: string): string {
  const value = body[name];
  return typeof value === 'string' ? value : fallback;
}

export interface Rules {
  checks: Readonly<Record<string, Check>>;
  required: readonly string[];
  /** How the vendor words it. */
  refusal(field: string, why: string): Failure;
}

export function checkFields(body: unknown, { checks, required, refusal }: Rules): WireObject {
  const refuse = (field: string, why: string): never => {
    throw new Refusal({ param: field, ...refusal(field, why) });
  };
  if (!isObject(body)) return refuse('body', 'must be a JSON object');
  for (const field of required) if (body[field] === undefined) refuse(field, 'is required');
  for (const [field, value] of Object.entries(body)) {
    const check = Object.hasOwn(checks, field) ? checks[field] : undefined;
    if (check === undefined) refuse(field, 'is not a known field');
    else if (!check(value)) refuse(field, 'is not valid');
  }
  return body;
}
