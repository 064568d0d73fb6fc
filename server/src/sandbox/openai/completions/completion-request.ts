// Reads the body of a completions request. https://platform.openai.com/docs/api-reference/completions/create
import {
  checkBody,
  checkBoolean,
  checkModelName,
  checkNumber,
  checkText,
  type NumberRule,
} from '../../fields/check-fields.ts';
import { refuse } from '../../fields/refuse.ts';
import { countTokens } from '../../text/tokens.ts';
import { readIncludeUsage, readStop } from '../text-options.ts';

export type Prompt = { text: string; tokens: number };

export type CompletionRequest = {
  model: string;
  prompts: Prompt[];
  choicesPerPrompt: number;
  maxTokens: number;
  stop: string[];
  echo: boolean;
  stream: boolean;
  includeUsage: boolean;
};

/** The real service's default. */
const defaultMaxTokens = 16;
const choiceLimit = 256;
const numberRules: Readonly<Record<string, NumberRule>> = {
  temperature: { least: 0, most: 2 },
  top_p: { least: 0, most: 1 },
  presence_penalty: { least: -2, most: 2 },
  frequency_penalty: { least: -2, most: 2 },
  logprobs: { least: 0, most: 5, whole: true },
  seed: { least: -Infinity, most: Infinity, whole: true },
};

export function readCompletionRequest(given: unknown): CompletionRequest {
  const body = checkBody(given);
  const model = checkModelName(body['model']);
  const prompts = readPrompts(body['prompt'] ?? '<|endoftext|>');
  for (const [field, rule] of Object.entries(numberRules)) checkNumber(body[field], field, rule);
  checkText(body['suffix'], 'suffix');
  const echo = checkBoolean(body['echo'], 'echo');
  const stream = checkBoolean(body['stream'], 'stream');
  const choicesPerPrompt = checkNumber(body['n'], 'n', { least: 1, most: 128, whole: true }) ?? 1;
  const bestOf = checkNumber(body['best_of'], 'best_of', { least: 1, most: 20, whole: true }) ?? choicesPerPrompt;
  if (bestOf < choicesPerPrompt) refuse('best_of', "'best_of' must be at least 'n'.", 'invalid_value');
  if (stream && bestOf > choicesPerPrompt) refuse('best_of', "'best_of' cannot be streamed.", 'invalid_value');
  if (prompts.length * choicesPerPrompt > choiceLimit) {
    refuse('prompt', `Too many choices: prompts times 'n' may be ${choiceLimit} at most.`, 'array_above_max_length');
  }
  return {
    model,
    prompts,
    choicesPerPrompt,
    // With echo, 0 asks for the prompt alone.
    maxTokens:
      checkNumber(body['max_tokens'], 'max_tokens', { least: 0, most: Infinity, whole: true }) ?? defaultMaxTokens,
    stop: readStop(body['stop']),
    echo,
    stream,
    includeUsage: readIncludeUsage(body['stream_options'], stream),
  };
}

function readPrompts(prompt: unknown): Prompt[] {
  if (typeof prompt === 'string') return [readPrompt(prompt, 'prompt')];
  if (!Array.isArray(prompt)) refuse('prompt', "Invalid type for 'prompt': expected a string or an array.");
  if (prompt.length === 0) refuse('prompt', "Invalid 'prompt': empty array.", 'empty_array');
  if (prompt.every(isTokenNumber)) return [readPrompt(prompt, 'prompt')];
  return prompt.map((one: unknown, index) => readPrompt(one, `prompt[${index}]`));
}

function readPrompt(prompt: unknown, at: string): Prompt {
  if (typeof prompt === 'string') return { text: prompt, tokens: countTokens(prompt) };
  if (Array.isArray(prompt) && prompt.length > 0 && prompt.every(isTokenNumber)) {
    return { text: `tokens ${prompt.join(' ')}`, tokens: prompt.length };
  }
  refuse(at, `Invalid type for '${at}': expected a string or an array of token numbers.`);
}

function isTokenNumber(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0;
}
