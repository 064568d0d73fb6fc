// The fields of audio requests that have a fixed type (spec 2.9). All others are passed on unread.
import { NUMBER, OBJECT, STRING, wireTable } from '../json/json-request.ts';

export const {
  fields: speechFields,
  deciding: decidingSpeechFields,
  fixed: fixedSpeechFields,
} = wireTable([
  ['model', STRING, 'fixed'],
  ['input', STRING, 'fixed'],
  ['voice', STRING, 'fixed'],
  ['instructions', STRING],
  ['response_format', STRING, 'decides'],
  ['speed', NUMBER],
  ['stream_format', STRING, 'fixed'],
  ['metadata', OBJECT],
]);

export const formFields: ReadonlySet<string> = new Set(
  'model file response_format stream language prompt temperature'.split(' '),
);
/** Lists: clients write them with brackets or repeat the plain name. */
export const formLists: ReadonlySet<string> = new Set(
  'timestamp_granularities include known_speaker_names known_speaker_references'.split(' '),
);

/** Fields a channel may never filter out: without them the request is another one. */
export const fixedFormFields: ReadonlySet<string> = new Set(['model', 'file', 'response_format', 'stream']);
