// What each model of the family takes.
import { Refusal } from '../refusal.ts';

export type Model = {
  name: string;
  generation: '1.0' | '1.5' | '2.0';
  takesText: boolean;
  /** As first frame, or as first and last. */
  takesFrames: boolean;
  mostReferences: number;
  resolutions: readonly string[];
  usualResolution: string;
  leastSeconds: number;
  mostSeconds: number;
};

const common = ['480p', '720p', '1080p'];
const first = {
  generation: '1.0',
  resolutions: common,
  usualResolution: '720p',
  leastSeconds: 2,
  mostSeconds: 12,
} as const;
const frames = { takesText: true, takesFrames: true, mostReferences: 0 };
const second = {
  ...frames,
  generation: '2.0',
  mostReferences: 9,
  usualResolution: '720p',
  leastSeconds: 4,
  mostSeconds: 15,
} as const;

const models: readonly Model[] = [
  { ...first, ...frames, name: 'doubao-seedance-1-0-lite-t2v', takesFrames: false },
  { ...first, ...frames, name: 'doubao-seedance-1-0-lite-i2v', takesText: false, mostReferences: 4 },
  { ...first, ...frames, name: 'doubao-seedance-1-0-pro-250528', usualResolution: '1080p' },
  { ...first, ...frames, name: 'doubao-seedance-1-5-pro-251215', generation: '1.5', leastSeconds: 4 },
  { ...second, name: 'doubao-seedance-2-0-260128', resolutions: [...common, '4k'] },
  { ...second, name: 'doubao-seedance-2-0-fast-260128', resolutions: ['480p', '720p'] },
];

/** The lite models answer to their name with a date too. */
const datedLite = /^(.*-lite-[ti]2v)-250428$/;

export function findModel(name: string): Model {
  const plain = datedLite.exec(name)?.[1] ?? name;
  const model = models.find((one) => one.name === plain);
  if (model !== undefined) return { ...model, name };
  const message = `The model or endpoint ${name.slice(0, 200)} does not exist or you do not have access to it.`;
  throw new Refusal({ status: 404, code: 'InvalidEndpointOrModel.NotFound', message });
}
