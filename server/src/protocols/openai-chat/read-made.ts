// What a chat answer leaves with its upstream: the sound that it spoke, which later messages name by its id.
import type { MadeObject, MadeReader } from '../../neutral/made-object.ts';
import type { JsonObject } from '../../shared/json-fields.ts';
import { asList, asRecord, parseRecord } from '../json/json-value.ts';
import { eventsOf } from '../stream/sse.ts';

const AUDIO = '"audio"';

/** undefined for a request that asks for no sound. */
export function madeReader({ fields }: JsonObject): MadeReader | undefined {
  return fields.has('audio') ? reader : undefined;
}

const reader: MadeReader = {
  whole: (body) => soundsIn(parseRecord(body), 'message'),
  events: (bytes) =>
    bytes.includes(AUDIO) ? eventsOf(bytes).flatMap(({ data = '' }) => soundsIn(parseRecord(data), 'delta')) : [],
};

function soundsIn(answer: Record<string, unknown> | undefined, part: 'message' | 'delta'): MadeObject[] {
  return asList(answer?.['choices']).flatMap((choice) => {
    const id = asRecord(asRecord(asRecord(choice)?.[part])?.['audio'])?.['id'];
    return typeof id === 'string' && id !== '' ? [{ id, kind: 'audio' as const }] : [];
  });
}
