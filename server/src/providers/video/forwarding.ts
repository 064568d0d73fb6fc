// Forwarding maps of video vendors: which names in `metadata` are handed on, where they stand in the vendor's body, and what
// each must be. A nested name may be given as the vendor nests it or flat, by its last part; what is nested wins.
import {
  type Metadata,
  metadataValue,
  numberIn,
  readArray,
  readFlag,
  readInteger,
  readNumber,
  readObject,
  readText,
} from '../metadata-values.ts';

export type Reader = (value: unknown, field: string) => unknown;

const KINDS = {
  text: readText,
  integer: readInteger,
  number: readNumber,
  flag: readFlag,
  array: readArray,
  object: readObject,
  /** `6s`; a number becomes such a text. */
  seconds(value: unknown, field: string) {
    const seconds = numberIn(value);
    return seconds === undefined ? readText(value, field) : `${seconds}s`;
  },
  /** Anything that is JSON: the vendor judges it. */
  any: (value: unknown) => value,
} satisfies Record<string, Reader>;

/** Keys are paths in the vendor's body (`video.resolution`); a value is handed on under that path. */
export type ForwardingMap = Readonly<Record<string, keyof typeof KINDS | Reader>>;

/** Vendors that want a length as text take a number too, and the other way round. */
export const numberText: Reader = (value, field) => String(readNumber(value, field));

export const oneOf =
  (...choices: readonly string[]): Reader =>
  (value, field) => {
    const text = readText(value, field);
    return choices.find((choice) => choice.toLowerCase() === text.trim().toLowerCase()) ?? text;
  };

export interface Forwarded {
  /** By the path in the body. */
  values: ReadonlyMap<string, unknown>;
  /** Names at the top of `metadata` that are taken. */
  taken: ReadonlySet<string>;
  /** What stands in `metadata` deeper down and is not taken, or is overruled. */
  lost: readonly string[];
}

export function readForwarded(metadata: Metadata, map: ForwardingMap): Forwarded {
  const values = new Map<string, unknown>();
  const taken = new Set<string>();
  const lost: string[] = [];
  for (const [path, kind] of Object.entries(map)) {
    const read: Reader = typeof kind === 'string' ? KINDS[kind] : kind;
    const flat = path.slice(path.lastIndexOf('.') + 1);
    const nestedValue = path === flat ? undefined : valueAt(metadata, path);
    const flatValue = metadataValue(metadata, flat);
    const isOverruled = nestedValue !== undefined && flatValue !== undefined;
    if (nestedValue !== undefined) values.set(path, read(nestedValue, `metadata.${path}`));
    else if (flatValue !== undefined && !(path !== flat && isContainer(flat, map)))
      values.set(path, read(flatValue, `metadata.${flat}`));
    if (isOverruled && !map[flat]) lost.push(`metadata.${flat}`);
    taken.add(flat);
  }
  for (const root of rootsOf(map)) {
    const value = metadataValue(metadata, root);
    if (value === undefined) continue;
    taken.add(root);
    lost.push(...unknownIn(readObject(value, `metadata.${root}`), root, map));
  }
  return { values, taken, lost };
}

/** Writes the values into a body that has the common fields already: what `metadata` says wins. */
export function withForwarded(body: Record<string, unknown>, { values }: Forwarded): Record<string, unknown> {
  const whole = structuredClone(body);
  for (const [path, value] of values) {
    const names = path.split('.');
    let at = whole;
    for (const name of names.slice(0, -1)) {
      const inner = at[name];
      at = (typeof inner === 'object' && inner !== null ? inner : (at[name] = {})) as Record<string, unknown>;
    }
    at[names.at(-1) ?? ''] = value;
  }
  return whole;
}

function rootsOf(map: ForwardingMap): Set<string> {
  const nested = Object.keys(map).filter((path) => path.includes('.'));
  return new Set(nested.map((path) => path.slice(0, path.indexOf('.'))));
}

function isContainer(name: string, map: ForwardingMap): boolean {
  return rootsOf(map).has(name);
}

function valueAt(metadata: Metadata, path: string): unknown {
  let at: unknown = metadata;
  for (const name of path.split('.')) {
    if (typeof at !== 'object' || at === null || Array.isArray(at)) return undefined;
    at = metadataValue(at as Metadata, name);
  }
  return at;
}

function unknownIn(value: Metadata, path: string, map: ForwardingMap): string[] {
  const paths = Object.keys(map);
  return Object.keys(value).flatMap((name) => {
    const inner = metadataValue(value, name);
    const at = `${path}.${name}`;
    if (inner === undefined || paths.includes(at)) return [];
    if (paths.some((known) => known.startsWith(`${at}.`)) && typeof inner === 'object')
      return unknownIn(inner as Metadata, at, map);
    return [`metadata.${at}`];
  });
}
