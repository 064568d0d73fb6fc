// What raises the cost of a chat answer beside its tokens: the tier that served it, and searches of its provider.
import { readTier } from '../../neutral/service-tier.ts';
import type { Extras, ToolUses } from '../../neutral/usage.ts';
import { asRecord } from '../json/json-value.ts';
import { readToolUses } from '../stream/tool-uses.ts';

/** A source on the web: where nobody counts searches, such a citation reports one. A key in a text has escaped quotes. */
export const URL_CITATION = '"url_citation"';
const ONE_SEARCH: ToolUses = { web_search: 1 };

/** `citesWeb`: some text cites a source on the web. */
export function extrasOf({
  serviceTier,
  usage,
  citesWeb,
}: Record<'serviceTier' | 'usage', unknown> & { citesWeb: boolean }): Extras | undefined {
  const tier = readTier(serviceTier);
  const toolUses = readToolUses(asRecord(usage)) ?? (citesWeb ? ONE_SEARCH : undefined);
  return tier === undefined && toolUses === undefined ? undefined : { serviceTier: tier, toolUses };
}
