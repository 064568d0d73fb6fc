// Checks of the fields beside `content`: type and range first, then what the model does not do.
import type { WireObject } from '../../fields/refuse.ts';
import { isObject } from '../../fields/refuse.ts';
import { refuseField } from '../error.ts';
import type { Model } from '../models.ts';
import type { Scene } from './scene.ts';

export const ratios = ['16:9', '4:3', '1:1', '3:4', '9:16', '21:9', 'adaptive'] as const;

type Check = (value: unknown) => string | undefined;

const whole =
  (least: number, most: number): Check =>
  (value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most
      ? undefined
      : `expected an integer from ${least} to ${most}`;
const truth: Check = (value) => (typeof value === 'boolean' ? undefined : 'expected a boolean');
const oneOf =
  (allowed: readonly string[]): Check =>
  (value) =>
    allowed.some((one) => one === value) ? undefined : `expected one of ${allowed.join(', ')}`;
const text =
  (most: number): Check =>
  (value) =>
    typeof value === 'string' && value !== '' && value.length <= most
      ? undefined
      : `expected a string, at most ${most}`;

const checks: Readonly<Record<string, Check>> = {
  ratio: oneOf(ratios),
  frames: (value) =>
    whole(29, 289)(value) ?? ((Number(value) - 25) % 4 === 0 ? undefined : 'expected a number of the form 25 + 4n'),
  seed: whole(-1, 4_294_967_295),
  camera_fixed: truth,
  watermark: truth,
  generate_audio: truth,
  return_last_frame: truth,
  draft: truth,
  service_tier: oneOf(['default', 'flex']),
  execution_expires_after: whole(3600, 259_200),
  callback_url: (value) => (/^https?:\/\/\S+$/.test(String(value)) ? undefined : 'expected a web address'),
  tools: (value) =>
    Array.isArray(value) && value.every((tool) => isObject(tool) && tool['type'] === 'web_search' && onlyKey(tool))
      ? undefined
      : 'expected tools of type web_search',
  safety_identifier: text(64),
  priority: whole(0, 9),
  output_format: text(16),
  omni_reference_task_type: text(64),
};

export const fieldNames = ['model', 'content', 'resolution', 'duration', ...Object.keys(checks)];

const onlyKey = (object: WireObject): boolean => Object.keys(object).length === 1;

export function checkFields(body: WireObject, model: Model, scene: Scene): void {
  for (const [field, check] of Object.entries(checks)) {
    const why = body[field] === undefined ? undefined : check(body[field]);
    if (why !== undefined) refuseField(field, why);
  }
  const resolutions = oneOf(model.resolutions)(body['resolution'] ?? model.usualResolution);
  if (resolutions !== undefined) refuseField('resolution', resolutions);
  const { leastSeconds, mostSeconds, generation } = model;
  const isChosen = body['duration'] === -1 && generation !== '1.0';
  const length = isChosen ? undefined : whole(leastSeconds, mostSeconds)(body['duration'] ?? leastSeconds);
  if (length !== undefined) refuseField('duration', length);
  for (const [field, why] of findUnsupported(body, model, scene)) refuseField(field, why);
}

/** What says no more than the default is let through: `draft: false` asks for nothing. */
function* findUnsupported(body: WireObject, { name, generation }: Model, { kind }: Scene): Generator<[string, string]> {
  const because = `not supported by ${name}`;
  const isReference = kind === 'reference';
  if (body['frames'] !== undefined && generation !== '1.0') yield ['frames', because];
  if (body['generate_audio'] === true && generation === '1.0') yield ['generate_audio', because];
  if (body['draft'] === true) {
    if (generation !== '1.5') yield ['draft', because];
    if (body['resolution'] !== '480p') yield ['resolution', 'a draft is made at 480p'];
    if (body['return_last_frame'] === true) yield ['return_last_frame', 'not with draft'];
    if (body['service_tier'] === 'flex') yield ['service_tier', 'not with draft'];
  }
  if (body['service_tier'] === 'flex' && generation === '2.0') yield ['service_tier', because];
  if (body['camera_fixed'] === true && generation === '2.0') yield ['camera_fixed', because];
  if (body['camera_fixed'] === true && isReference) yield ['camera_fixed', 'not with reference images'];
  if (body['tools'] !== undefined && (generation !== '2.0' || kind !== 'text')) yield ['tools', because];
  if (body['ratio'] === 'adaptive' && generation === '1.0' && (kind === 'text' || isReference)) {
    yield ['ratio', 'adaptive needs a first frame'];
  }
  if (isReference && generation === '1.0' && body['resolution'] === '1080p') {
    yield ['resolution', '1080p is not made from reference images'];
  }
}
