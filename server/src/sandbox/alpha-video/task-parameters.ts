// Reads `parameters` of a submit: each with its type and range, and only those that the model takes.
import { isObject } from '../fields/refuse.ts';
import type { Model } from './capability.ts';
import { refuseField, refuseOtherFields } from './refuse-field.ts';

export type TaskParameters = { resolution: '720P' | '1080P'; ratio: string; duration: number };

const at = 'parameters.';
const seedLimit = 2_147_483_647;

export function readParameters(given: unknown, { capability, ratios }: Model): TaskParameters {
  const parameters = given ?? {};
  if (!isObject(parameters)) refuseField('parameters', 'must be an object');
  refuseOtherFields(parameters, capability.parameters, at);
  const { resolution, ratio, duration, watermark, seed, audio_setting: audioSetting } = parameters;
  if (watermark !== undefined && typeof watermark !== 'boolean') refuseField(`${at}watermark`, 'must be a boolean');
  checkWhole(seed, `${at}seed`, [0, seedLimit]);
  checkOneOf(audioSetting, `${at}audio_setting`, ['auto', 'origin']);
  return {
    resolution: checkOneOf(resolution, `${at}resolution`, ['720P', '1080P']) ?? '1080P',
    ratio: checkOneOf(ratio, `${at}ratio`, ratios) ?? '16:9',
    duration: checkWhole(duration, `${at}duration`, [3, 15]) ?? 5,
  };
}

function checkWhole(value: unknown, field: string, [least, most]: readonly [number, number]): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value;
  refuseField(field, `must be an integer from ${least} to ${most}`);
}

function checkOneOf<T extends string>(value: unknown, field: string, allowed: readonly T[]): T | undefined {
  if (value === undefined) return undefined;
  const found = allowed.find((one) => one === value);
  if (found === undefined) refuseField(field, `must be one of ${allowed.join(', ')}`);
  return found;
}
