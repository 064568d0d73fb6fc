// Arguments of a tool call are JSON text in the neutral form and an object on this wire.
import { type JsonRecord, parseRecord } from '../json/json-value.ts';

/** Text that is no object (models do write such) is kept under a name of its own instead of being lost. */
export function writeArguments(text: string): JsonRecord {
  if (text.trim() === '') return {};
  return parseRecord(text) ?? { arguments: text };
}
