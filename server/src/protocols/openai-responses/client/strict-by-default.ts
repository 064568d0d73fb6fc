// Functions of this protocol are strict by default, as far as their schema allows it.
// https://platform.openai.com/docs/guides/function-calling#strict-mode
import type { Tool } from '../../../neutral/generation.ts';
import { asList, asRecord, type JsonRecord } from '../../json/json-value.ts';

export function strictByDefault(tool: Tool): Tool {
  if (tool.strict !== undefined || tool.parameters === undefined || !isStrict(tool.parameters)) return tool;
  return { ...tool, strict: true, isStrictByDefault: true };
}

/** All objects in it are closed, and have no field that may be left out; others were never held to their schema. */
function isStrict(schema: JsonRecord): boolean {
  const properties = asRecord(schema['properties']);
  const isObject = schema['type'] === 'object' || properties !== undefined;
  const required = new Set(asList(schema['required']));
  const names = Object.keys(properties ?? {});
  if (isObject && (schema['additionalProperties'] !== false || !names.every((name) => required.has(name))))
    return false;
  const inner = [properties, schema['$defs'], schema['anyOf'], [schema['items']]];
  return inner
    .flatMap((one) => Object.values(one ?? {}))
    .every((one) => {
      const record = asRecord(one);
      return record === undefined || isStrict(record);
    });
}
