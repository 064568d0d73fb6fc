// The protocols of this family differ in whether tools, choices and schemas stand inside an object of their own or not.
import { type JsonRecord, needRecord } from '../json/json-value.ts';

/** Names of the objects around a function, a list of allowed tools and a schema; undefined where there is none. */
export interface Frames {
  function: string | undefined;
  custom: string | undefined;
  grammar: string | undefined;
  allowed: string | undefined;
  schema: string | undefined;
  /** Where the form of the output stands in a request. */
  formatPath: string;
}

/** Chat has all of them. */
export const chatFrames: Frames = {
  function: 'function',
  custom: 'custom',
  grammar: 'grammar',
  allowed: 'allowed_tools',
  schema: 'json_schema',
  formatPath: 'response_format',
};

/** Responses have none. */
export const responsesFrames: Frames = {
  function: undefined,
  custom: undefined,
  grammar: undefined,
  allowed: undefined,
  schema: undefined,
  formatPath: 'text.format',
};

export interface Position {
  fields: JsonRecord;
  path: string;
}

export function inside(wire: JsonRecord, frame: string | undefined, path: string): Position {
  if (frame === undefined) return { fields: wire, path };
  return { fields: needRecord(wire[frame], `${path}.${frame}`), path: `${path}.${frame}` };
}

export function within(fields: JsonRecord, frame: string | undefined): JsonRecord {
  return frame === undefined ? fields : { [frame]: fields };
}
