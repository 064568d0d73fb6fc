// Refusals of a request's content, and the shape that unknown JSON has until it is checked.
import { Refusal } from '../refusal.ts';

export type WireObject = Record<string, unknown>;

export function isObject(value: unknown): value is WireObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function refuse(param: string, message: string, code = 'invalid_type'): never {
  throw new Refusal({ status: 400, param, message, code });
}
