// What a model of family alpha can do stands at the end of its name, and everything else follows from it (spec 2.6).
import { invalidRequest } from '../../errors/gateway-error.ts';

export type MediaType = 'first_frame' | 'reference_image' | 'video';

export interface Capability {
  name: 't2v' | 'i2v' | 'r2v' | 'video-edit';
  /** How many items of each type of media it takes; types not named here are refused. */
  media: Partial<Record<MediaType, { least: number; most: number }>>;
  /** Parameters that not all have. Without a duration the output is as long as the source. */
  takes: readonly ('ratio' | 'duration' | 'audio_setting')[];
}

/** Longest first. */
const capabilities: readonly Capability[] = [
  {
    name: 'video-edit',
    media: { video: { least: 1, most: 1 }, reference_image: { least: 0, most: 5 } },
    takes: ['audio_setting'],
  },
  { name: 't2v', media: {}, takes: ['ratio', 'duration'] },
  { name: 'i2v', media: { first_frame: { least: 1, most: 1 } }, takes: ['duration'] },
  { name: 'r2v', media: { reference_image: { least: 1, most: 9 } }, takes: ['ratio', 'duration'] },
];

/** By the name that callers know, else by the upstream's, for models that an operator gave a name of their own. */
export function capabilityOf(model: string, upstreamModel: string): Capability {
  const capability = byName(model) ?? byName(upstreamModel);
  if (capability !== undefined) return capability;
  const suffixes = capabilities.map(({ name }) => `-${name}`).join(', ');
  throw invalidRequest(
    `What the model "${model}" can do is not known: its name ends with none of ${suffixes}.`,
    'model',
  );
}

function byName(model: string): Capability | undefined {
  const name = model.toLowerCase();
  return capabilities.find((capability) => name.endsWith(`-${capability.name}`));
}
