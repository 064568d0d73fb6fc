// The fields of audio requests that have a fixed type (spec 2.9). All others are passed on unread.
import { NUMBER, OBJECT, STRING, type WireFields } from '../json/json-request.ts';

export const speechFields: WireFields = new Map([
  ['model', STRING],
  ['input', STRING],
  ['voice', STRING],
  ['instructions', STRING],
  ['response_format', STRING],
  ['speed', NUMBER],
  ['stream_format', STRING],
  ['metadata', OBJECT],
]);

/** Fields that decide the route, the money or the form of the answer: given twice, readers could disagree on them. */
export const decidingSpeechFields: readonly string[] = ['model', 'input', 'voice', 'response_format', 'stream_format'];

export const formFields: ReadonlySet<string> = new Set(
  'model file response_format stream language prompt temperature'.split(' '),
);
/** Lists: clients write them with brackets or repeat the plain name. */
export const formLists: ReadonlySet<string> = new Set(
  'timestamp_granularities include known_speaker_names known_speaker_references'.split(' '),
);

/** Fields a channel may never filter out: without them the request is another one. */
export const fixedSpeechFields: ReadonlySet<string> = new Set(['model', 'input', 'voice', 'stream_format']);
export const fixedFormFields: ReadonlySet<string> = new Set(['model', 'file', 'response_format', 'stream']);
