// What a whole answer of this protocol says: its usage, and whether it is an answer. A prompt that was blocked is
// answered too, without candidates.
import { type JsonObject, readField } from '../../shared/json-fields.ts';
import type { TextFields } from '../stream/count-text.ts';
import { countTextIn, holdsError, scanAnswer } from '../json/json-answer.ts';
import type { Extras } from '../../neutral/usage.ts';
import type { WholeAnswer } from '../protocol.ts';
import { isDoubtful, readUsage } from './usage.ts';
import { ExtrasReader, USE_KEYS } from './server-tools.ts';

/** Where the candidates hold what the model wrote. */
const CANDIDATE_TEXT: TextFields = {
  each: {
    text: 'text',
    args: 'value',
    code: 'text',
    groundingMetadata: 'skip',
    citationMetadata: 'skip',
    logprobsResult: 'skip',
    codeExecutionResult: 'skip',
    urlContextMetadata: 'skip',
  },
};

export function readContentAnswer(bytes: Buffer): WholeAnswer | undefined {
  const json = scanAnswer(bytes);
  if (json === undefined) return undefined;
  const hasError = holdsError(json);
  const candidates = json.fields.get('candidates');
  const isAnswer =
    candidates?.kind === 'array' ||
    (candidates === undefined &&
      ['promptFeedback', 'usageMetadata'].some((name) => json.fields.get(name)?.kind === 'object'));
  if (!hasError && !isAnswer) return undefined;
  const reported = readField(json, 'usageMetadata');
  const usage = readUsage(reported);
  const extras = readExtras(json, reported);
  return {
    usage,
    ...(usage === undefined && isDoubtful(reported) && { isDoubtful: true }),
    ...(extras !== undefined && { extras }),
    hasError,
    outputBytes: countTextIn(json, candidates, CANDIDATE_TEXT),
  };
}

/** The candidates are built only where one of them used a tool. */
function readExtras(json: JsonObject, usageMetadata: unknown): Extras | undefined {
  const usesTools = USE_KEYS.some((key) => json.bytes.includes(key));
  const reader = new ExtrasReader();
  reader.read({ usageMetadata, ...(usesTools && { candidates: readField(json, 'candidates') }) });
  return reader.extras;
}
