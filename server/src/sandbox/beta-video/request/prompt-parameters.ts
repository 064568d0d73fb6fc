// The older way to set parameters: behind the prompt, as in `a cat --dur 10 --rs 720p`. The first two generations still read it, and what
// is not valid there silently does nothing.
import type { WireObject } from '../../fields/refuse.ts';
import type { Model } from '../models.ts';
import { ratios } from './task-fields.ts';

const pattern = /(?<=^|\s)--(resolution|rs|ratio|rt|duration|dur|seed)\s+(\S+)/g;
const names: Readonly<Record<string, string>> = { rs: 'resolution', rt: 'ratio', dur: 'duration' };

export function readPromptParameters(prompt: string, model: Model): WireObject {
  if (model.generation === '2.0') return {};
  const found: WireObject = {};
  for (const [, written = '', value = ''] of prompt.matchAll(pattern)) {
    const name = names[written] ?? written;
    const number = Number(value);
    const isWhole = Number.isInteger(number);
    if (name === 'resolution' && model.resolutions.includes(value)) found[name] = value;
    if (name === 'ratio' && ratios.some((ratio) => ratio === value)) found[name] = value;
    if (name === 'duration' && isWhole && number >= model.leastSeconds && number <= model.mostSeconds)
      found[name] = number;
    if (name === 'seed' && isWhole && number >= -1 && number <= 4_294_967_295) found[name] = number;
  }
  return found;
}
