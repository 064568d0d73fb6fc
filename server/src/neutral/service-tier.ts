// The names of service tiers. Providers have several for the plain one; case does not matter to any of them.
const NAMES: ReadonlyMap<string, string> = new Map([
  ['standard', 'default'],
  ['standard_only', 'default'],
  ['on_demand', 'default'],
  ['unspecified', 'auto'],
]);
const MOST_CHARACTERS = 50;

/** The provider may choose the tier itself. */
export const AUTO = 'auto';
export const PLAIN_TIER = 'default';

/** undefined where none is named. */
export function readTier(value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '') return undefined;
  const name = value.slice(0, MOST_CHARACTERS).toLowerCase();
  return NAMES.get(name) ?? name;
}
