// Reads the body of a submit and settles what it leaves open: sizes, length and tokens.
import { isObject, type WireObject } from '../../fields/refuse.ts';
import { withoutNulls } from '../../fields/without-nulls.ts';
import { countFrames, countTokens } from './count-tokens.ts';
import { refuseField, refuseMissing, refuseOtherFields } from '../error.ts';
import { findModel, type Model } from '../models.ts';
import { choosePixels } from './pixels.ts';
import { readPromptParameters } from './prompt-parameters.ts';
import { readScene, type Scene } from './scene.ts';
import { checkFields, fieldNames } from './task-fields.ts';

export type TaskRequest = {
  model: Model;
  scene: Scene;
  body: WireObject;
  width: number;
  height: number;
  seconds: number;
  /** What the poll repeats, defaults filled in. */
  echo: WireObject;
  tokens: number;
};

const usualSeconds = 5;
/** What -1, the model's own choice, comes to. */
const chosenSeconds = 8;
const usualExpiry = 172_800;
const mostInputSeconds = 15;
/** A draft costs less; how much is not published. */
const draftShare = 0.5;
const echoed = ['generate_audio', 'draft', 'priority', 'safety_identifier', 'tools', 'output_format'];

export function checkTaskRequest(given: unknown): { model: Model; scene: Scene; body: WireObject } {
  const body = withoutNulls(given);
  if (!isObject(body)) refuseField('body', 'expected a JSON object');
  const name = body['model'];
  if (name === undefined) refuseMissing('model');
  if (typeof name !== 'string') refuseField('model', 'expected a string');
  refuseOtherFields(body, fieldNames, '');
  const model = findModel(name);
  const scene = readScene(body['content'], model);
  checkFields(body, model, scene);
  return { model, scene, body };
}

export function settleTaskRequest(
  { model, scene, body }: ReturnType<typeof checkTaskRequest>,
  clipMs: number,
): TaskRequest {
  const fields: WireObject = { ...readPromptParameters(scene.prompt, model), ...body };
  const resolution = readText(fields, 'resolution') ?? model.usualResolution;
  const { width, height, ratio } = choosePixels(model, resolution, readText(fields, 'ratio') ?? 'adaptive');
  const frames = typeof fields['frames'] === 'number' ? fields['frames'] : undefined;
  const duration = fields['duration'] === -1 ? chosenSeconds : Number(fields['duration'] ?? usualSeconds);
  const inputSeconds = Math.min((scene.videos * clipMs) / 1000, mostInputSeconds);
  const counted = countTokens({ width, height, frames: frames ?? countFrames(duration), inputSeconds, resolution });
  const seed = fields['seed'] ?? -1;
  return {
    model,
    scene,
    body: fields,
    width,
    height,
    seconds: frames === undefined ? duration : frames / 24,
    tokens: fields['draft'] === true ? Math.floor(counted * draftShare) : counted,
    echo: {
      seed: seed === -1 ? 4711 : seed,
      resolution,
      ratio,
      ...(frames === undefined ? { duration } : { frames }),
      framespersecond: 24,
      service_tier: fields['service_tier'] ?? 'default',
      execution_expires_after: fields['execution_expires_after'] ?? usualExpiry,
      ...Object.fromEntries(echoed.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]]))),
    },
  };
}

function readText(fields: WireObject, name: string): string | undefined {
  const value = fields[name];
  return typeof value === 'string' ? value : undefined;
}
