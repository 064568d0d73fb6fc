// The parts that an answer consists of. Signatures stand where the real service puts them: on the first call of a turn, or
// else, after thinking, on the last words. https://ai.google.dev/gemini-api/docs/thought-signatures
import { createHash } from 'node:crypto';
import type { Call } from '../../protocol.ts';
import type { Answer } from '../../text/compose-answer.ts';
import type { GenerateRequest } from '../request/generate-request.ts';

/** `tokens`: what the part costs, for the counts of a stream. */
export type AnswerPart = { part: object; tokens: number; isThought: boolean };

export function makeThoughts({ includeThoughts }: GenerateRequest, { thoughts }: Answer): AnswerPart[] {
  // Thoughts that nobody wants to see still cost.
  if (!includeThoughts) return [];
  return thoughts.map((text) => ({ part: { text, thought: true }, tokens: 1, isThought: true }));
}

export function makeWords({ texts }: Answer): AnswerPart[] {
  return texts.map((text) => ({ part: { text }, tokens: 1, isThought: false }));
}

/** What the service counts for a picture of about a million pixels, whatever its size. */
export const PICTURE_TOKENS = 1290;

export function makePicture(data: string | undefined): AnswerPart[] {
  if (data === undefined) return [];
  return [{ part: { inlineData: { mimeType: 'image/png', data } }, tokens: PICTURE_TOKENS, isThought: false }];
}

/** A call that the limit cut off is left out: this protocol sends calls whole. */
export function makeCalls({ model }: GenerateRequest, { calls, tokens, texts }: Answer, call: Call): AnswerPart[] {
  const whole = calls.filter(({ isWhole }) => isWhole);
  return whole.map(({ name, input }, index) => {
    const id = model.startsWith('gemini-3') ? { id: makeHash(call, `call ${index}`, 'hex').slice(0, 16) } : {};
    const signature = index === 0 ? { thoughtSignature: makeHash(call, name, 'base64') } : {};
    const cost = index === whole.length - 1 ? tokens - texts.length : 0;
    return { part: { functionCall: { ...id, name, args: input }, ...signature }, tokens: cost, isThought: false };
  });
}

/** Signs the words at the end of an answer that was thought about. */
export function makeSignature({ thoughts, calls }: Answer, call: Call): object {
  const isDue = thoughts.length > 0 && calls.length === 0;
  return isDue ? { thoughtSignature: makeHash(call, thoughts.join(''), 'base64') } : {};
}

function makeHash({ exchange }: Call, salt: string, encoding: 'hex' | 'base64'): string {
  return createHash('sha256').update(`${exchange.record.rawBody}:${salt}`).digest(encoding);
}
