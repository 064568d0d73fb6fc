// A tool as this protocol describes it, in requests and in the answers that repeat them.
import type { Tool } from '../../neutral/generation.ts';
import type { JsonRecord } from '../json/json-value.ts';

export function writeTool({ name, description, parameters, strict }: Tool): JsonRecord {
  return {
    type: 'function',
    name,
    description,
    parameters: parameters ?? { type: 'object', properties: {} },
    // This protocol is strict by default, which schemas of other protocols' callers were not written for.
    strict: strict ?? false,
  };
}
