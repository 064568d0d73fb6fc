// What each model of the family takes: its media and its parameters, by capability.
import { Refusal } from '../refusal.ts';

export type MediaType = 'first_frame' | 'reference_image' | 'video';
export type ParameterName = 'resolution' | 'ratio' | 'duration' | 'watermark' | 'seed' | 'audio_setting';

export type Capability = {
  needsPrompt: boolean;
  media: readonly { type: MediaType; least: number; most: number }[];
  parameters: readonly ParameterName[];
};

export type Model = { name: string; capability: Capability; ratios: readonly string[] };

const everywhere = ['resolution', 'watermark', 'seed'] as const;

const capabilities = {
  t2v: { needsPrompt: true, media: [], parameters: [...everywhere, 'ratio', 'duration'] },
  i2v: {
    needsPrompt: false,
    media: [{ type: 'first_frame', least: 1, most: 1 }],
    parameters: [...everywhere, 'duration'],
  },
  r2v: {
    needsPrompt: true,
    media: [{ type: 'reference_image', least: 1, most: 9 }],
    parameters: [...everywhere, 'ratio', 'duration'],
  },
  'video-edit': {
    needsPrompt: true,
    media: [
      { type: 'video', least: 1, most: 1 },
      { type: 'reference_image', least: 0, most: 5 },
    ],
    parameters: [...everywhere, 'audio_setting'],
  },
} as const satisfies Record<string, Capability>;

const ratios = ['16:9', '9:16', '1:1', '4:3', '3:4'];
const ratiosOfLater = [...ratios, '4:5', '5:4', '21:9', '9:21'];

const models: readonly Model[] = [
  { name: 'happyhorse-1.0-t2v', capability: capabilities.t2v, ratios },
  { name: 'happyhorse-1.0-i2v', capability: capabilities.i2v, ratios },
  { name: 'happyhorse-1.0-r2v', capability: capabilities.r2v, ratios },
  { name: 'happyhorse-1.0-video-edit', capability: capabilities['video-edit'], ratios },
  { name: 'happyhorse-1.1-t2v', capability: capabilities.t2v, ratios: ratiosOfLater },
  { name: 'happyhorse-1.1-i2v', capability: capabilities.i2v, ratios: ratiosOfLater },
  { name: 'happyhorse-1.1-r2v', capability: capabilities.r2v, ratios: ratiosOfLater },
];

export function findModel(name: string): Model {
  const model = models.find((one) => one.name === name);
  if (model !== undefined) return model;
  throw new Refusal({ status: 404, code: 'ModelNotFound', message: `Model not exist: ${name.slice(0, 200)}` });
}
