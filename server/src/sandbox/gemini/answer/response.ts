// An answer as the responses of this protocol: one, or a sequence in which each adds to the one before.
// https://ai.google.dev/api/generate-content#generatecontentresponse
import type { StreamEvent } from '../../http/send-stream.ts';
import type { Call } from '../../protocol.ts';
import type { Answer } from '../../text/compose-answer.ts';
import { makeId } from '../../openai/make-id.ts';
import { FOUND, usesOf } from '../../text/server-side.ts';
import type { GenerateRequest } from '../request/generate-request.ts';
import { makeCalls, makePicture, makeSignature, makeThoughts, makeWords } from './parts.ts';
import { countProduced, createUsageWriter, type Produced } from './usage.ts';

/** `picture`: a PNG in base64. */
type Making = { request: GenerateRequest; answer: Answer; call: Call; picture?: string | undefined };

const finishReasons: Readonly<Record<Answer['ending'], string>> = {
  end: 'STOP',
  length: 'MAX_TOKENS',
  'stop-sequence': 'STOP',
  calls: 'STOP',
  'malformed-call': 'MALFORMED_FUNCTION_CALL',
  refusal: 'SAFETY',
  error: 'OTHER',
};
const dangerous = { category: 'HARM_CATEGORY_DANGEROUS_CONTENT', probability: 'HIGH' };

export function writeResponse(making: Making): object {
  const { request, answer, call } = making;
  const writeRest = createRest(making);
  const produced = countProduced(answer, request.candidates, making.picture);
  if (call.behaviour.refusal === 'prompt') return writeBlocked(making);
  const [thought, words] = [answer.thoughts.join(''), answer.texts.join('')];
  const parts = [
    ...(request.includeThoughts && thought !== '' ? [{ text: thought, thought: true }] : []),
    ...(words === '' ? [] : [{ text: words, ...makeSignature(answer, call) }]),
    ...makeCalls(request, answer, call).map(({ part }) => part),
    ...makePicture(making.picture).map(({ part }) => part),
  ];
  const candidates = Array.from({ length: request.candidates }, (_, index) => ({
    // The real service leaves out `parts` where thinking has used up the limit.
    content: { ...(parts.length === 0 ? {} : { parts }), role: 'model' },
    finishReason: finishReasons[answer.ending],
    index,
    ...writeRatings(answer),
    ...writeFinishMessage(answer),
    ...writeGrounding(making),
  }));
  return { candidates, ...writeRest(produced) };
}

export function* writeEvents(making: Making): Generator<StreamEvent> {
  const { request, answer, call } = making;
  const writeRest = createRest(making);
  const write = (kind: StreamEvent['kind'], candidate: object, produced: Produced): StreamEvent => ({
    kind,
    data: JSON.stringify({ candidates: [candidate], ...writeRest(produced) }),
  });
  if (call.behaviour.refusal === 'prompt') {
    yield { kind: 'done', data: JSON.stringify(writeBlocked(making)) };
    return;
  }
  const indexes = Array.from({ length: request.candidates }, (_, index) => index);
  const all = countProduced(answer, request.candidates, making.picture);
  const sent = { thoughts: request.includeThoughts ? 0 : all.thoughts, words: 0, isLast: false };
  const parts = [
    ...makeThoughts(request, answer),
    ...makeWords(answer),
    ...makeCalls(request, answer, call),
    ...makePicture(making.picture),
  ];
  for (const { part, tokens, isThought } of parts) {
    for (const index of indexes) {
      sent[isThought ? 'thoughts' : 'words'] += tokens;
      yield write('content', { content: { parts: [part], role: 'model' }, index }, sent);
    }
  }
  const last = { text: '', ...makeSignature(answer, call) };
  for (const index of indexes) {
    const finishReason = finishReasons[answer.ending];
    const rest = { ...writeRatings(answer), ...writeFinishMessage(answer), ...writeGrounding(making) };
    const candidate = { content: { parts: [last], role: 'model' }, finishReason, index, ...rest };
    yield write(index === indexes.length - 1 ? 'done' : 'closing', candidate, all);
  }
}

function writeBlocked(making: Making): object {
  const promptFeedback = { blockReason: 'SAFETY', safetyRatings: [{ ...dangerous, blocked: true }] };
  return { promptFeedback, ...createRest(making)({ thoughts: 0, words: 0 }) };
}

function writeRatings({ ending }: Answer): object {
  return ending === 'refusal' ? { safetyRatings: [{ ...dangerous, blocked: true }] } : {};
}

/** A call that cannot be read is not shown: only that there was one. */
function writeFinishMessage({ ending, calls }: Answer): object {
  if (ending !== 'malformed-call') return {};
  const textParts = calls.map(({ name, pieces }) => `default_api.${name}(${pieces.join('')}`);
  return { finishMessage: `Malformed function call: print(${textParts.join(', ')}` };
}

/** https://ai.google.dev/gemini-api/docs/google-search#understanding-the-grounding-response */
function writeGrounding({ request, call }: Making): object {
  const uses = usesOf(request.searches ? ['google_search'] : [], call.behaviour);
  if (uses.length === 0) return {};
  const webSearchQueries = uses.map((_, index) => `sandbox ${index + 1}`);
  const groundingChunks = [{ web: { uri: FOUND.url, title: FOUND.title } }];
  return { groundingMetadata: { webSearchQueries, groundingChunks, groundingSupports: [] } };
}

/** What every response carries beside its candidates. */
function createRest({ request, call }: Making): (produced: Produced) => object {
  const writeUsage = createUsageWriter(request, call.behaviour);
  const responseId = makeId(call, '');
  return (produced) => {
    const usageMetadata = writeUsage(produced);
    return {
      ...(usageMetadata === undefined ? {} : { usageMetadata }),
      modelVersion: request.model,
      responseId,
    };
  };
}
