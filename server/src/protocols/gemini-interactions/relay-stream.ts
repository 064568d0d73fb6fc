// Follows the stream of an interaction: events named by `event_type`, the last of which holds the usage.
import { asRecord, asText, type JsonRecord } from '../json/json-value.ts';
import type { StreamReader } from '../protocol.ts';
import { countTextTokens } from '../stream/count-pieces.ts';
import { TypedEventReader, type TypedStream } from '../stream/typed-events.ts';
import { isDoubtful, readExtras, readUsage } from './usage.ts';

const interactionOf = (event: JsonRecord): JsonRecord => asRecord(event['interaction']) ?? {};

const interactionStream: TypedStream = {
  typeField: 'event_type',
  ends: ['interaction.completed'],
  failures: ['error'],
  pieces: ['step.delta'],
  field: 'text',
  countTokens: countTextTokens,
  readUsage: (event) => readUsage(interactionOf(event)['usage']),
  isDoubtful: (event) => isDoubtful(interactionOf(event)['usage']),
  readExtras: (event) => readExtras(interactionOf(event)),
  readComplaint(event) {
    const error = asRecord(event['error']) ?? {};
    return { message: asText(error['message']), code: asText(error['code']), param: undefined };
  },
};

export function readInteractionStream(): StreamReader {
  return new TypedEventReader(interactionStream);
}

/** The last event of a stream that broke. */
export function errorEvent({ message, code }: { message: string; code: string }): Buffer {
  const data = { event_type: 'error', error: { code, message } };
  return Buffer.from(`event: error\ndata: ${JSON.stringify(data)}\n\n`);
}
