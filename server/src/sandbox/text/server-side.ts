// What a provider does beside generating text: serve a request in a tier, and run tools of its own. Tools run only where a
// directive says how often.
import { isObject } from '../fields/refuse.ts';
import type { Behaviour } from '../scenarios.ts';

/** The tier that an answer reports: the directive's, else the one asked for; `fast` is an older name of `priority`. */
export function servedTier(asked: unknown, { servedTier: served }: Behaviour, plain: string): string {
  if (served !== undefined) return served;
  const name = typeof asked === 'string' ? asked.toLowerCase() : plain;
  if (name === 'fast') return 'priority';
  return ['auto', 'default', 'standard', 'standard_only', 'unspecified'].includes(name) ? plain : name;
}

/** Names of the tools in a request that the provider would run, without dates and `_preview`. */
export function serverToolNames(tools: unknown, ofClients: readonly string[]): string[] {
  const list: unknown[] = Array.isArray(tools) ? tools : [];
  const types = list.flatMap((tool) => (isObject(tool) && typeof tool['type'] === 'string' ? [tool['type']] : []));
  const names = types.map((type) => type.replace(/(?:_preview)?(?:_\d{8}|_\d{4}_\d{2}_\d{2})?$/, ''));
  return [...new Set(names)].filter((name) => !ofClients.includes(name));
}

/** Each of the tools, as often as the directive says. */
export function usesOf(names: readonly string[], { toolUses = 0 }: Behaviour): string[] {
  return names.flatMap((name) => Array.from({ length: toolUses }, () => name));
}

export const FOUND = { url: 'https://sandbox.example/found', title: 'What the sandbox found' };
