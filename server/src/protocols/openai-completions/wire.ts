// The top-level fields of a completions request that have a fixed type: those of spec 2.10, which chat has too, and one more.
// All others are passed on unread, and null always counts as absent.
import { INTEGER, type WireFields } from '../json/json-request.ts';
import { chatFields } from '../openai-chat/wire.ts';

/** Name of the protocol, as signatures carry it. */
export const COMPLETIONS = 'openai-completions';

export const completionFields: WireFields = new Map([...chatFields, ['best_of', INTEGER]]);

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
  'service_tier',
];

/** Fields a channel may never filter out: without them the request is another one. */
export const fixedFields: ReadonlySet<string> = new Set(['model', 'prompt', 'stream']);

export const MAX_CHOICES = 128;
