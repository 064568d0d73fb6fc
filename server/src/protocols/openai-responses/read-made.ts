// What a response leaves with its upstream: itself, the items of its output, and the containers that its code ran in.
import type { MadeObject } from '../../neutral/made-object.ts';
import { arrayElements, type JsonObject, readField } from '../../shared/json-fields.ts';
import { scanAnswer } from '../json/json-answer.ts';
import { asList, asRecord, type JsonRecord, parseRecord } from '../json/json-value.ts';
import { eventsOf } from '../stream/sse.ts';
import { idOfAnswer } from './read-id.ts';

export interface MadeResponse {
  /** undefined when it is not kept. */
  id: string | undefined;
  objects: MadeObject[];
  /** The whole of it. */
  answer?: Buffer;
}

const NOTHING: MadeResponse = { id: undefined, objects: [] };
/** Items that are looked up by their ids even where the answer is not kept: see item-references.ts. */
const LOOKED_UP: ReadonlySet<unknown> = new Set(['reasoning', 'image_generation_call', 'compaction']);
const CITED_FILE = 'container_file_citation';

export function madeByAnswer(body: Buffer): MadeResponse {
  const json = scanAnswer(body);
  return json === undefined ? NOTHING : { id: idOfAnswer(body), objects: objectsIn(json), answer: body };
}

export function madeByLastEvent(bytes: Buffer): MadeResponse {
  const data = eventsOf(bytes).at(-1)?.data;
  const event = data === undefined ? undefined : scanAnswer(Buffer.from(data));
  const response = event?.fields.get('response');
  if (event === undefined || response?.kind !== 'object') return NOTHING;
  return madeByAnswer(event.bytes.subarray(response.valueStart, response.valueEnd));
}

function objectsIn(json: JsonObject): MadeObject[] {
  const output = json.fields.get('output');
  if (output?.kind !== 'array') return [];
  const isKept = readField(json, 'store') !== false;
  return arrayElements(json, output).flatMap((bytes) => objectsOf(bytes, isKept));
}

function objectsOf(bytes: Buffer, isKept: boolean): MadeObject[] {
  const item = scanAnswer(bytes);
  if (item === undefined) return [];
  const made: MadeObject[] = [];
  const add = (id: unknown, kind: MadeObject['kind']): void => {
    if (typeof id === 'string' && id !== '') made.push({ id, kind });
  };
  if (isKept || LOOKED_UP.has(readField(item, 'type'))) add(readField(item, 'id'), 'item');
  add(readField(item, 'container_id'), 'container');
  if (bytes.includes(CITED_FILE))
    for (const note of annotationsIn(parseRecord(bytes))) {
      add(note['container_id'], 'container');
      add(note['file_id'], 'file');
    }
  return made;
}

function annotationsIn(item: JsonRecord | undefined): JsonRecord[] {
  return asList(item?.['content'])
    .flatMap((part) => asList(asRecord(part)?.['annotations']))
    .map((note) => asRecord(note) ?? {})
    .filter((note) => note['type'] === CITED_FILE);
}
