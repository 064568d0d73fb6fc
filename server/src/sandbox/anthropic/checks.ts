// Checks of JSON by shape, composed as data and worded as the real service words them: the place, a colon, what is wrong.
// Unlike in other protocols a field that nobody knows is refused, and so is null where a value belongs.
import { isObject, type WireObject } from '../fields/refuse.ts';
import { Refusal } from '../refusal.ts';

export type Check = (value: unknown, at: string) => void;

export function refuseAt(at: string, message: string): never {
  throw new Refusal({ status: 400, message: `${at}: ${message}` });
}

export function joinPath(at: string, name: string | number): string {
  return at === '' ? String(name) : `${at}.${name}`;
}

export const anything: Check = () => {};

export const text: Check = (value, at) => {
  if (typeof value !== 'string') refuseAt(at, 'Input should be a valid string');
};

export const textUpTo =
  (most: number): Check =>
  (value, at) => {
    text(value, at);
    if (String(value).length > most) refuseAt(at, `String should have at most ${most} characters`);
  };

export const flag: Check = (value, at) => {
  if (typeof value !== 'boolean') refuseAt(at, 'Input should be a valid boolean');
};

export const dictionary: Check = (value, at) => {
  if (!isObject(value)) refuseAt(at, 'Input should be a valid dictionary');
};

export const matching =
  (pattern: RegExp): Check =>
  (value, at) => {
    text(value, at);
    if (!pattern.test(String(value))) refuseAt(at, `String should match pattern '${pattern.source}'`);
  };

export const base64: Check = (value, at) => {
  text(value, at);
  const data = String(value);
  if (data === '' || data.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(data)) {
    refuseAt(at, 'Input should be valid base64');
  }
};

export type Range = { least: number; most?: number };

export const integer =
  ({ least, most = Infinity }: Range): Check =>
  (value, at) => {
    if (typeof value !== 'number' || !Number.isInteger(value)) refuseAt(at, 'Input should be a valid integer');
    if (value < least) refuseAt(at, `Input should be greater than or equal to ${least}`);
    if (value > most) refuseAt(at, `Input should be less than or equal to ${most}`);
  };

export const number =
  ({ least, most = Infinity }: Range): Check =>
  (value, at) => {
    if (typeof value !== 'number') refuseAt(at, 'Input should be a valid number');
    if (value < least || value > most) refuseAt(at, `range: ${least}..${most}`);
  };

export const oneOf =
  (...allowed: readonly string[]): Check =>
  (value, at) => {
    if (typeof value === 'string' && allowed.includes(value)) return;
    const quoted = allowed.map((one) => `'${one}'`);
    const last = quoted.pop() ?? '';
    refuseAt(at, `Input should be ${quoted.length === 0 ? last : `${quoted.join(', ')} or ${last}`}`);
  };

export const nullable =
  (check: Check): Check =>
  (value, at) => {
    if (value !== null) check(value, at);
  };

export const list =
  (check: Check): Check =>
  (value, at) => {
    if (!Array.isArray(value)) refuseAt(at, 'Input should be a valid list');
    for (const [index, one] of value.entries()) check(one, joinPath(at, index));
  };

/** A text, or a list of what the check takes. */
export const textOrList =
  (check: Check): Check =>
  (value, at) => {
    if (typeof value !== 'string') list(check)(value, at);
  };

export type Fields = Readonly<Record<string, Check>>;

export const shape =
  (required: Fields, optional: Fields = {}): Check =>
  (value, at) => {
    if (!isObject(value)) refuseAt(at === '' ? 'body' : at, 'Input should be a valid dictionary');
    for (const [name, check] of Object.entries(required)) {
      if (value[name] === undefined) refuseAt(joinPath(at, name), 'Field required');
      check(value[name], joinPath(at, name));
    }
    for (const [name, given] of Object.entries(value)) {
      if (Object.hasOwn(required, name)) continue;
      if (!Object.hasOwn(optional, name)) refuseAt(joinPath(at, name), 'Extra inputs are not permitted');
      optional[name]?.(given, joinPath(at, name));
    }
  };

/** The field `type` chooses the shape, which need not name it; the choice becomes a part of the path. */
export const tagged =
  (shapes: Fields): Check =>
  (value, at) => {
    if (!isObject(value)) refuseAt(at, 'Input should be a valid dictionary');
    const { type, ...rest } = value;
    if (type === undefined) refuseAt(at, "Unable to extract tag using discriminator 'type'");
    const tag = typeof type === 'string' ? type : JSON.stringify(type);
    const tags = Object.keys(shapes).map((one) => `'${one}'`);
    if (!Object.hasOwn(shapes, tag)) {
      const found = `Input tag '${tag.slice(0, 100)}' found using 'type'`;
      refuseAt(at, `${found} does not match any of the expected tags: ${tags.join(', ')}`);
    }
    shapes[tag]?.(rest satisfies WireObject, joinPath(at, tag));
  };
