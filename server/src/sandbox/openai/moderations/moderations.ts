// POST /v1/moderations: one result for every text, or one for all parts of a mixed input.
// https://platform.openai.com/docs/api-reference/moderations/create
import { checkBody, checkText, refuseMissing } from '../../fields/check-fields.ts';
import { isObject, refuse } from '../../fields/refuse.ts';
import { sendWhole } from '../../http/send-whole.ts';
import type { Call } from '../../protocol.ts';
import { writeError } from '../error.ts';
import { makeId } from '../make-id.ts';
import { checkModel } from '../models.ts';
import { categories, imageCategories, judgeText } from './judge-text.ts';

type Input = { text: string; hasText: boolean; hasImage: boolean };

const defaultModel = 'omni-moderation-latest';
const flaggedFrom = 0.5;

export async function answerModerations(call: Call): Promise<void> {
  const { exchange, behaviour, models } = call;
  const body = checkBody(call.body);
  const model = checkText(body['model'], 'model') ?? defaultModel;
  const inputs = readInputs(body['input']);
  checkModel(model, models);
  const answer = { id: makeId(call, 'modr-'), model, results: inputs.map(writeResult) };
  await sendWhole(exchange, { body: answer, errorBody: writeError({ status: 500 }) }, behaviour);
}

function readInputs(input: unknown): Input[] {
  if (input === undefined || input === null) refuseMissing('input');
  const list: unknown[] = Array.isArray(input) ? input : [input];
  if (list.length === 0) refuse('input', "Invalid 'input': empty array.", 'empty_array');
  if (list.every((one) => typeof one === 'string')) {
    return list.map((text) => ({ text, hasText: true, hasImage: false }));
  }
  if (!Array.isArray(input)) refuse('input', "Invalid type for 'input': expected a string or an array.");
  const texts = list.map((part, index) => readPart(part, `input[${index}]`));
  const words = texts.filter((text) => text !== null);
  return [{ text: words.join('\n'), hasText: words.length > 0, hasImage: words.length < texts.length }];
}

/** The text of a part; null for an image. */
function readPart(part: unknown, at: string): string | null {
  if (!isObject(part)) refuse(at, `Invalid type for '${at}': expected an object.`);
  if (part['type'] === 'text') {
    if (typeof part['text'] !== 'string') refuse(`${at}.text`, `Invalid type for '${at}.text': expected a string.`);
    return part['text'];
  }
  if (part['type'] !== 'image_url') {
    refuse(`${at}.type`, `Invalid value for '${at}.type'. Supported values are: 'text', 'image_url'.`, 'invalid_value');
  }
  const image = part['image_url'];
  if (!isObject(image) || typeof image['url'] !== 'string') refuseMissing(`${at}.image_url.url`);
  return null;
}

function writeResult({ text, hasText, hasImage }: Input): object {
  const scores = judgeText(text);
  const flags = Object.fromEntries(categories.map((category) => [category, scores[category] >= flaggedFrom]));
  const applied = categories.map((category) => {
    const types = [hasText ? ['text'] : [], hasImage && imageCategories.includes(category) ? ['image'] : []].flat();
    return [category, types];
  });
  return {
    flagged: Object.values(flags).includes(true),
    categories: flags,
    category_scores: scores,
    category_applied_input_types: Object.fromEntries(applied) as object,
  };
}
