// What raises the cost of a response beside its tokens: the tier that served it, and the calls of tools at its provider.
import { readTier } from '../../neutral/service-tier.ts';
import type { Extras } from '../../neutral/usage.ts';
import { arrayElements, type JsonObject, readField } from '../../shared/json-fields.ts';
import { scanAnswer } from '../json/json-answer.ts';
import { asList, asRecord, asText, type JsonRecord } from '../json/json-value.ts';
import { addUses, readToolUses, usesOrNone } from '../stream/tool-uses.ts';
import { clientCalls } from './wire.ts';

const CALL = '_call';
const CALL_TYPE = '_call"';

/** Of a whole answer, whose items are walked over and not built. */
export function extrasOfAnswer(json: JsonObject): Extras | undefined {
  const output = json.fields.get('output');
  const hasCalls =
    output?.kind === 'array' && json.bytes.subarray(output.valueStart, output.valueEnd).includes(CALL_TYPE);
  const items = output === undefined || !hasCalls ? [] : arrayElements(json, output).map(readItem);
  return extrasOf({ serviceTier: readField(json, 'service_tier'), usage: readField(json, 'usage'), items });
}

/** Of a response that is parsed, as the last event of a stream holds it. */
export function extrasOfResponse(response: JsonRecord): Extras | undefined {
  const items = asList(response['output']).map((one) => asRecord(one) ?? {});
  return extrasOf({ serviceTier: response['service_tier'], usage: response['usage'], items });
}

interface Reported {
  serviceTier: unknown;
  usage: unknown;
  items: readonly JsonRecord[];
}

function extrasOf({ serviceTier, usage, items }: Reported): Extras | undefined {
  const tier = readTier(serviceTier);
  const toolUses = usesIn(items) ?? readToolUses(asRecord(usage));
  return tier === undefined && toolUses === undefined ? undefined : { serviceTier: tier, toolUses };
}

function usesIn(items: readonly JsonRecord[]): Extras['toolUses'] {
  const uses: Record<string, number> = {};
  for (const item of items) {
    const name = usedTool(item);
    if (name !== undefined) addUses(uses, name);
  }
  return usesOrNone(uses);
}

/** Only its searches cost: to open a page that was found, or to look into it, is part of one. */
export function usedTool(item: JsonRecord): string | undefined {
  const type = asText(item['type']) ?? '';
  if (!type.endsWith(CALL)) return undefined;
  const name = type.slice(0, -CALL.length);
  if (clientCalls.has(name)) return undefined;
  const action = asText(asRecord(item['action'])?.['type']) ?? 'search';
  return name === 'web_search' && action !== 'search' ? undefined : name;
}

function readItem(bytes: Buffer): JsonRecord {
  const item = scanAnswer(bytes);
  return item === undefined ? {} : { type: readField(item, 'type'), action: readField(item, 'action') };
}
