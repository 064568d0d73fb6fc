// Tools that run at the provider: how requests name them, and what answers say of their use.
import type { Extras } from '../../neutral/usage.ts';
import { readTier } from '../../neutral/service-tier.ts';
import { asCount, asList, asRecord, asText, type JsonRecord } from '../json/json-value.ts';
import type { ToolFields } from '../json/server-tools.ts';
import { addUses, usesOrNone } from '../stream/tool-uses.ts';
import { camelCase, snakeCase } from './spelling.ts';

/** Run by the client. */
const OF_CLIENTS: ReadonlySet<string> = new Set(['functionDeclarations', 'computerUse']);
const NAMES: ReadonlyMap<string, string> = new Map([
  ['googleSearch', 'web_search'],
  ['googleSearchRetrieval', 'web_search'],
  ['enterpriseWebSearch', 'web_search'],
]);

/** An entry of `tools` has a field for each tool. */
export const toolFields: ToolFields = {
  toolsIn: (entry) =>
    Object.entries(entry)
      .filter(([field, value]) => value !== null && !OF_CLIENTS.has(camelCase(field)))
      .map(([field]) => ({ name: NAMES.get(camelCase(field)) ?? snakeCase(camelCase(field)), field })),
  choices: ['toolConfig', 'tool_config'],
};

/** Keys of an answer without which no tool was used. */
export const USE_KEYS = ['"groundingMetadata"', '"executableCode"', '"urlContextMetadata"'];

/** Vertex says it so. */
const TRAFFIC: ReadonlyMap<string, string> = new Map([
  ['ON_DEMAND', 'default'],
  ['ON_DEMAND_PRIORITY', 'priority'],
  ['ON_DEMAND_FLEX', 'flex'],
  ['ON_DEMAND_OFFPEAK', 'offpeak'],
]);

function readServedTier(usageMetadata: unknown): string | undefined {
  const usage = asRecord(usageMetadata) ?? {};
  return readTier(usage['serviceTier']) ?? TRAFFIC.get(asText(usage['trafficType']) ?? '');
}

/** Gathers what the pieces of an answer report; a whole answer is one piece. */
export class ExtrasReader {
  #tier: string | undefined;
  /** By candidate and tool: grounding is repeated with every piece, and the last one is whole. */
  readonly #reported = new Map<string, { name: string; count: number }>();
  #runs = 0;

  get extras(): Extras | undefined {
    const uses: Record<string, number> = {};
    for (const { name, count } of this.#reported.values()) addUses(uses, name, count);
    addUses(uses, 'code_execution', this.#runs);
    const toolUses = usesOrNone(uses);
    if (this.#tier === undefined && toolUses === undefined) return undefined;
    return { serviceTier: this.#tier, toolUses };
  }

  read(piece: JsonRecord): void {
    this.#tier = readServedTier(piece['usageMetadata']) ?? this.#tier;
    for (const [index, one] of asList(piece['candidates']).entries()) this.#readCandidate(asRecord(one) ?? {}, index);
  }

  #readCandidate(candidate: JsonRecord, index: number): void {
    const grounding = asRecord(candidate['groundingMetadata']);
    const tell = (name: string, count: number): void => {
      if (count > 0) this.#reported.set(`${asCount(candidate['index']) ?? index} ${name}`, { name, count });
    };
    if (grounding !== undefined) {
      const chunks = asList(grounding['groundingChunks']).map((one) => asRecord(one) ?? {});
      tell('web_search', asList(grounding['webSearchQueries']).length);
      tell('google_maps', chunks.some((chunk) => asRecord(chunk['maps']) !== undefined) ? 1 : 0);
      tell('file_search', asList(grounding['retrievalQueries']).length);
    }
    tell('url_context', asList(asRecord(candidate['urlContextMetadata'])?.['urlMetadata']).length);
    for (const part of asList(asRecord(candidate['content'])?.['parts']))
      if (asRecord(asRecord(part)?.['executableCode']) !== undefined) this.#runs++;
  }
}
