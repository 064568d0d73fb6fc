// Uses of tools that run at a provider, as its answers report them.
import type { ToolUses } from '../../neutral/usage.ts';
import { asCount, asRecord, type JsonRecord } from '../json/json-value.ts';

/** Objects of a usage that count uses, one field per tool. */
const TABLES = ['server_tool_use', 'server_side_tool_usage_details', 'server_side_tool_usage'];
const COUNTED = /^(.+)_(?:requests|calls)$/;
/** Counts that stand beside the tokens. */
const PLAIN: ReadonlyMap<string, string> = new Map([['num_search_queries', 'web_search']]);

/** Of the `usage` of an answer; undefined where it reports none. */
export function readToolUses(usage: JsonRecord | undefined): ToolUses | undefined {
  if (usage === undefined) return undefined;
  const uses: Record<string, number> = {};
  for (const table of TABLES) {
    for (const [field, value] of Object.entries(asRecord(usage[table]) ?? {})) {
      const name = COUNTED.exec(field)?.[1];
      if (name !== undefined) addUses(uses, name, asCount(value) ?? 0);
    }
  }
  for (const [field, name] of PLAIN) addUses(uses, name, asCount(usage[field]) ?? 0);
  return usesOrNone(uses);
}

export function addUses(uses: Record<string, number>, name: string, count = 1): void {
  if (count > 0) uses[name] = (uses[name] ?? 0) + count;
}

export function usesOrNone(uses: Record<string, number>): ToolUses | undefined {
  return Object.keys(uses).length === 0 ? undefined : uses;
}
