// Reads the body of a submit, as strictly as the family's pages are worded: what a model does not take is refused, so that a
// caller who sends too much is caught.
import { isObject, type WireObject } from '../fields/refuse.ts';
import { type Capability, findModel, type Model } from './capability.ts';
import { refuseField, refuseOtherFields } from './refuse-field.ts';
import { readParameters, type TaskParameters } from './task-parameters.ts';

export type TaskRequest = { model: Model; prompt: string; parameters: TaskParameters };

const promptLimit = 5000;

export function readTaskRequest(body: unknown): TaskRequest {
  if (!isObject(body)) refuseField('body', 'must be a JSON object');
  refuseOtherFields(body, ['model', 'input', 'parameters'], '');
  if (typeof body['model'] !== 'string') refuseField('model', 'is required and must be a string');
  const model = findModel(body['model']);
  const { input } = body;
  if (!isObject(input)) refuseField('input', 'is required and must be an object');
  refuseOtherFields(input, ['prompt', 'media'], 'input.');
  const prompt = readPrompt(input, model.capability);
  checkMedia(input['media'], model);
  return { model, prompt, parameters: readParameters(body['parameters'], model) };
}

/** What is beyond the limit is cut off without a word. */
function readPrompt({ prompt }: WireObject, { needsPrompt }: Capability): string {
  if (prompt === undefined && !needsPrompt) return '';
  if (typeof prompt !== 'string') refuseField('input.prompt', 'is required and must be a string');
  if (needsPrompt && prompt.trim() === '') refuseField('input.prompt', 'must not be empty');
  return prompt.slice(0, promptLimit);
}

function checkMedia(media: unknown, { name, capability }: Model): void {
  if (capability.media.length === 0) {
    if (media !== undefined) refuseField('input.media', `is not supported by ${name}`);
    return;
  }
  if (!Array.isArray(media)) refuseField('input.media', 'is required and must be an array');
  const types = media.map((item: unknown, index) => readMediaType(item, `input.media[${index}]`));
  for (const [index, type] of types.entries()) {
    if (capability.media.every((rule) => rule.type !== type)) {
      refuseField(`input.media[${index}].type`, `'${type.slice(0, 100)}' is not supported by ${name}`);
    }
  }
  for (const { type, least, most } of capability.media) {
    const count = types.filter((one) => one === type).length;
    if (count >= least && count <= most) continue;
    const wanted = least === most ? `exactly ${least}` : `${least} to ${most}`;
    refuseField('input.media', `must have ${wanted} of type '${type}', got ${count}`);
  }
}

function readMediaType(item: unknown, at: string): string {
  if (!isObject(item)) refuseField(at, 'must be an object');
  refuseOtherFields(item, ['type', 'url'], `${at}.`);
  const { type, url } = item;
  if (typeof type !== 'string') refuseField(`${at}.type`, 'is required and must be a string');
  if (typeof url !== 'string') refuseField(`${at}.url`, 'is required and must be a string');
  const isGood = /^(https?|oss):\/\/\S+$/.test(url) || (type !== 'video' && /^data:image\/[a-z]+;base64,/.test(url));
  if (!isGood) refuseField(`${at}.url`, 'must be the address of a file');
  return type;
}
