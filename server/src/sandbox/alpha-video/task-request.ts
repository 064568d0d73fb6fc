// Reads the body of a submit, as strictly as the family's pages are worded: what a model does not take is refused, so that a
// caller who sends too much is caught.
import { isObject, type WireObject } from '../fields/refuse.ts';
import { withoutNulls } from '../fields/without-nulls.ts';
import { type Capability, findModel, type Model } from './capability.ts';
import { refuseField, refuseOtherFields } from './refuse-field.ts';
import { readParameters, type TaskParameters } from './task-parameters.ts';

export type TaskRequest = { model: Model; prompt: string; parameters: TaskParameters };

const promptLimit = 5000;

/** The vendor's library sends these with every task; they change nothing here. */
const libraryFields = ['extend_prompt', 'function'];
/** Names that older models have for a first frame; the library still offers them. */
const frameFields = ['img_url', 'first_frame_url'];

export function readTaskRequest(given: unknown): TaskRequest {
  const body = withoutNulls(given);
  if (!isObject(body)) refuseField('body', 'must be a JSON object');
  refuseOtherFields(body, ['model', 'input', 'parameters'], '');
  if (typeof body['model'] !== 'string') refuseField('model', 'is required and must be a string');
  const model = findModel(body['model']);
  const { input } = body;
  if (!isObject(input)) refuseField('input', 'is required and must be an object');
  refuseOtherFields(input, ['prompt', 'media', ...libraryFields, ...frameFields], 'input.');
  const prompt = readPrompt(input, model.capability);
  checkMedia(readMedia(input, model), model);
  return { model, prompt, parameters: readParameters(body['parameters'], model) };
}

/** What is beyond the limit is cut off without a word. */
function readPrompt({ prompt }: WireObject, { needsPrompt }: Capability): string {
  if (prompt === undefined && !needsPrompt) return '';
  if (typeof prompt !== 'string') refuseField('input.prompt', 'is required and must be a string');
  if (needsPrompt && prompt.trim() === '') refuseField('input.prompt', 'must not be empty');
  return prompt.slice(0, promptLimit);
}

/** `media`, or a first frame by its older names where the model takes one. */
function readMedia(input: WireObject, { name, capability }: Model): unknown {
  const frames = frameFields.filter((field) => input[field] !== undefined);
  const [frame] = frames;
  if (frame === undefined) return input['media'];
  if (capability.media.every(({ type }) => type !== 'first_frame'))
    refuseField(`input.${frame}`, `is not supported by ${name}`);
  if (frames.length > 1 || input['media'] !== undefined)
    refuseField(`input.${frame}`, 'cannot stand beside input.media');
  return [{ type: 'first_frame', url: input[frame] }];
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
