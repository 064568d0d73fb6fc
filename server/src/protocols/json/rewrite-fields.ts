// Fields of a body that an upstream wants otherwise than its protocol says: its provider declares them, and they are
// changed as the request is written, so that nothing is parsed twice.
import type { JsonChanges } from '../../shared/json-rewrite.ts';
import type { JsonRecord } from './json-value.ts';

/** Changes of the caller's bytes with the provider's, which win. */
export function withRewrite(changes: JsonChanges, rewrite: JsonChanges | undefined): JsonChanges {
  if (rewrite === undefined) return changes;
  return {
    set: { ...changes.set, ...rewrite.set },
    remove: [...(changes.remove ?? []), ...(rewrite.remove ?? [])],
  };
}

/** The same for a body that is not written yet. */
export function rewriteRecord(wire: JsonRecord, rewrite: JsonChanges | undefined): JsonRecord {
  if (rewrite === undefined) return wire;
  for (const [name, text] of Object.entries(rewrite.set ?? {})) wire[name] = JSON.parse(text);
  for (const name of rewrite.remove ?? []) delete wire[name];
  return wire;
}

/** The same for a form, whose values are text. */
export function formTexts({ set = {} }: JsonChanges): Record<string, string> {
  return Object.fromEntries(
    Object.entries(set).map(([name, text]) => {
      const value: unknown = JSON.parse(text);
      return [name, typeof value === 'string' ? value : text];
    }),
  );
}
