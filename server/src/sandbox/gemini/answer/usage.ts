// The `usageMetadata` of an answer: counted by rule, thoughts beside the candidates as this protocol has it.
import type { Behaviour } from '../../scenarios.ts';
import type { Answer } from '../../text/compose-answer.ts';
import { type CountedTurn, countPrompt } from '../../text/count-prompt.ts';
import { spoilUsage } from '../../text/spoil-usage.ts';
import type { WireObject } from '../../fields/refuse.ts';
import { servedTier } from '../../text/server-side.ts';
import { PICTURE_TOKENS } from './parts.ts';
import type { GenerateRequest } from '../request/generate-request.ts';

/** What every cached content is said to hold, there being none. */
const cachedContentTokens = 100;
const media = ['inlineData', 'fileData'];
const values = ['functionCall', 'functionResponse'];

function countParts(parts: readonly WireObject[]): CountedTurn {
  return {
    texts: parts.flatMap(({ text }) => (typeof text === 'string' ? [text] : [])),
    media: parts.filter((part) => media.some((name) => part[name] !== undefined)).length,
    values: parts.flatMap((part) => values.flatMap((name) => part[name] ?? [])),
  };
}

export function countInput({ contents, instructions, tools, usesCache }: GenerateRequest): number {
  const turns = contents.map(({ parts }) => countParts(parts));
  if (instructions !== undefined) turns.unshift({ texts: [instructions], media: 0, values: [] });
  return countPrompt(turns, tools) + (usesCache ? cachedContentTokens : 0);
}

/** `isLast`: nothing comes after it. */
export type Produced = { thoughts: number; words: number; isLast?: boolean };

/** Counts what has been sent so far; undefined when the behaviour leaves usage out. */
export function createUsageWriter(
  request: GenerateRequest,
  behaviour: Behaviour,
): (produced: Produced) => object | undefined {
  const prompt = countInput(request);
  const cached = Math.min(behaviour.cachedTokens ?? (request.usesCache ? cachedContentTokens : 0), prompt);
  const tier = servedTier(request.serviceTier, behaviour, 'standard');
  const promptTokensDetails = [{ modality: 'TEXT', tokenCount: prompt }];
  return ({ thoughts, words, isLast = true }) =>
    spoilUsage(
      {
        promptTokenCount: prompt,
        ...(words === 0 ? {} : { candidatesTokenCount: words }),
        totalTokenCount: prompt + words + thoughts,
        ...(cached === 0 || (behaviour.lateCache && !isLast) ? {} : { cachedContentTokenCount: cached }),
        promptTokensDetails,
        ...(thoughts === 0 ? {} : { thoughtsTokenCount: thoughts }),
        ...(tier === 'standard' ? {} : { serviceTier: tier }),
      },
      behaviour,
    );
}

export function countProduced({ thoughts, tokens }: Answer, candidates: number, picture?: string): Produced {
  const words = (tokens + (picture === undefined ? 0 : PICTURE_TOKENS)) * candidates;
  return { thoughts: thoughts.length * candidates, words };
}
