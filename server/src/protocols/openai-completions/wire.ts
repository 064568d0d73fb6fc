// The top-level fields of a completions request that have a fixed type (spec 2.10). All others are passed on unread, and
// null always counts as absent.
import { ANY, BOOLEAN, INTEGER, NUMBER, OBJECT, STRING, STRING_OR_ARRAY, type WireFields } from '../json-request.ts';

/** Name of the protocol, as signatures carry it. */
export const COMPLETIONS = 'openai-completions';

export const completionFields: WireFields = new Map([
  ['model', STRING],
  ['prompt', STRING_OR_ARRAY],
  ['suffix', ANY],
  ['stream', BOOLEAN],
  ['stream_options', OBJECT],
  ['max_tokens', INTEGER],
  ['max_completion_tokens', INTEGER],
  ['n', INTEGER],
  ['best_of', INTEGER],
  ['temperature', NUMBER],
  ['top_p', NUMBER],
  ['top_k', NUMBER],
  ['stop', STRING_OR_ARRAY],
  ['metadata', OBJECT],
  ['store', ANY],
  ['service_tier', ANY],
  ['safety_identifier', ANY],
]);

/** Fields that decide the route, the money or the form of the answer: given twice, readers could disagree on them. */
export const decidingFields: readonly string[] = [
  'model',
  'prompt',
  'stream',
  'stream_options',
  'max_tokens',
  'max_completion_tokens',
  'n',
  'best_of',
];

/** Fields a channel may never filter out: without them the request is another one. */
export const fixedFields: ReadonlySet<string> = new Set(['model', 'prompt', 'stream']);

export const MAX_CHOICES = 128;
