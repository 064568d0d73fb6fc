// The result of a function: an object on this wire, text and media in the neutral form.
import type { MediaPart, TextPart, ToolResultPart } from '../../../neutral/conversation.ts';
import { asList, asText, type JsonRecord, needRecord, needText } from '../../json/json-value.ts';
import { readKnown } from '../spelling.ts';
import type { CallIds } from './call-ids.ts';
import { readFileData, readInlineData } from './read-media.ts';

export const RESULT_FIELDS: ReadonlySet<string> = new Set(['id', 'name', 'response', 'parts']);
const MEDIA_FIELDS: ReadonlySet<string> = new Set(['inlineData', 'fileData']);

export interface PartContext {
  path: string;
  unknown: string[];
  calls: CallIds;
}

export function readResult(value: unknown, { path, unknown, calls }: PartContext): ToolResultPart {
  const at = `${path}.functionResponse`;
  const wire = readKnown(needRecord(value, at), RESULT_FIELDS, { prefix: `${at}.`, unknown });
  const name = needText(wire['name'], `${at}.name`);
  const response = wire['response'] === undefined ? undefined : needRecord(wire['response'], `${at}.response`);
  const { text, isError } = readResponse(response ?? {});
  const media = asList(wire['parts']).flatMap((one, index) => readMedia(one, `${at}.parts[${index}]`, unknown));
  const spoken: TextPart[] = response === undefined ? [] : [{ type: 'text', text, path: `${at}.response` }];
  return {
    type: 'tool-result',
    callId: calls.ofResult(asText(wire['id']), name),
    name,
    content: [...spoken, ...media],
    isError,
    path,
  };
}

/** `output` and `error` are what the vendor proposes; any other object is written as it is. */
function readResponse(response: JsonRecord): { text: string; isError: boolean } {
  const names = Object.keys(response);
  const [only] = names;
  if (names.length !== 1 || (only !== 'output' && only !== 'error'))
    return { text: JSON.stringify(response), isError: false };
  const reported = response[only];
  return { text: typeof reported === 'string' ? reported : JSON.stringify(reported), isError: only === 'error' };
}

function readMedia(value: unknown, path: string, unknown: string[]): MediaPart[] {
  const wire = readKnown(needRecord(value, path), MEDIA_FIELDS, { prefix: `${path}.`, unknown });
  if (wire['inlineData'] !== undefined) return [readInlineData(wire['inlineData'], path, unknown)];
  if (wire['fileData'] !== undefined) return [readFileData(wire['fileData'], path, unknown)];
  return [];
}
