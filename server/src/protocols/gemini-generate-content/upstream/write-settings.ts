// `generationConfig`: sampling, the form of the output, and how much to think.
// https://ai.google.dev/gemini-api/docs/thinking
import type { Dropped } from '../../../neutral/dropped.ts';
import type { Effort, OutputFormat, ReasoningRequest, Settings } from '../../../neutral/generation.ts';
import { budgetOf } from '../../../neutral/reasoning.ts';
import type { JsonRecord } from '../../json/json-value.ts';

const MOST_STOPS = 5;
const UP_TO_TWO = { least: 0, most: 2 };
/** Models from the third generation on take a word for how much to think, and want their calls signed. */
const EFFORT_IN_WORDS = /(?:^|\/)gemini-(?:[3-9]|\d{2})/;

const LEVELS: Readonly<Record<Effort, string>> = {
  none: 'MINIMAL',
  minimal: 'MINIMAL',
  low: 'LOW',
  medium: 'MEDIUM',
  high: 'HIGH',
  xhigh: 'HIGH',
  max: 'HIGH',
};

export function requiresSignature(upstreamModel: string): boolean {
  return EFFORT_IN_WORDS.test(upstreamModel);
}

export function writeSettings(
  settings: Settings,
  { upstreamModel, dropped }: { upstreamModel: string; dropped: Dropped },
): JsonRecord {
  const { stop, temperature, reasoning, format } = settings;
  if (settings.choices !== undefined) dropped.setting('choices');
  if (stop !== undefined && stop.length > MOST_STOPS) dropped.setting('stop');
  const config: JsonRecord = {
    maxOutputTokens: settings.maxOutputTokens,
    temperature: temperature === undefined ? undefined : dropped.clamped('temperature', temperature, UP_TO_TWO),
    topP: settings.topP,
    topK: settings.topK,
    stopSequences: stop?.slice(0, MOST_STOPS),
    seed: settings.seed,
    presencePenalty: settings.presencePenalty,
    frequencyPenalty: settings.frequencyPenalty,
    ...(format !== undefined && writeFormat(format)),
    thinkingConfig: reasoning === undefined ? undefined : writeThinking(reasoning, upstreamModel, dropped),
  };
  return Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined));
}

function writeFormat(format: OutputFormat): JsonRecord {
  const responseMimeType = 'application/json';
  if (format.type === 'json') return { responseMimeType };
  const { schema, description } = format;
  const described =
    description === undefined || schema['description'] !== undefined ? schema : { ...schema, description };
  return { responseMimeType, responseJsonSchema: described };
}

/** undefined when nothing is requested. */
function writeThinking(request: ReasoningRequest, model: string, dropped: Dropped): JsonRecord | undefined {
  const { effort, budget, isShown } = request;
  const inWords = budget === undefined && effort !== undefined && EFFORT_IN_WORDS.test(model);
  const tokens = inWords ? undefined : budget === -1 ? -1 : clampBudget(budgetOf(request), model);
  // An effort is a word for whatever comes near it; a number, and thinking that is not to be, are meant as they stand.
  if (
    effort === 'none' ? inWords || tokens !== 0 : budget !== undefined && tokens !== budgetOf(request) && tokens !== -1
  )
    dropped.setting('reasoning');
  const config: JsonRecord = {
    ...(inWords && { thinkingLevel: LEVELS[effort] }),
    ...(tokens !== undefined && { thinkingBudget: tokens }),
    ...(isShown !== undefined && { includeThoughts: isShown }),
  };
  return Object.keys(config).length === 0 ? undefined : config;
}

/** The large models always think a little, and may think more than the small ones. */
function clampBudget(budget: number | undefined, model: string): number | undefined {
  if (budget === undefined) return undefined;
  const [least, most] = /-pro\b/.test(model) ? [128, 32_768] : [0, 24_576];
  return Math.min(most, Math.max(least, budget));
}
