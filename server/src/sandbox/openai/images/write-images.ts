// Images as a stream: sketches first where asked for, then the finished picture with its usage.
// https://platform.openai.com/docs/api-reference/images-streaming
import type { StreamEvent } from '../../http/send-stream.ts';
import { makePng, type PngOptions } from '../../media/png.ts';
import type { ImageRequest } from './image-request.ts';

export type ImageTask = {
  name: 'image_generation' | 'image_edit';
  request: ImageRequest;
  images: PngOptions[];
  created: number;
  usage: Record<string, unknown> | undefined;
};

/** What the service makes of words that leave it the choice, or that other models have. */
const decided: Readonly<Record<string, string>> = { auto: 'medium', standard: 'medium', hd: 'high' };

/** What the answer says of its pictures beside them. */
export function writeImageDetails({ width, height, quality, background }: ImageRequest): object {
  return {
    background: background === 'auto' ? 'opaque' : background,
    output_format: 'png',
    quality: decided[quality] ?? quality,
    size: `${width}x${height}`,
  };
}

/** An event tells less of the output than a whole answer. */
function writeEventUsage(usage: Record<string, unknown> | undefined): object {
  if (usage === undefined) return {};
  const { output_tokens_details: _, ...reported } = usage;
  return { usage: reported };
}

export async function* writeEvents(task: ImageTask): AsyncGenerator<StreamEvent> {
  const { name, request, images, created, usage } = task;
  const details = { created_at: created, ...writeImageDetails(request) };
  const write = async (type: string, image: PngOptions, more: object): Promise<Omit<StreamEvent, 'kind'>> => {
    const data = { type, b64_json: (await makePng(image)).toString('base64'), ...details, ...more };
    return { event: type, data: JSON.stringify(data) };
  };

  for (const [index, image] of images.entries()) {
    const isLast = index === images.length - 1;
    for (let sketch = 0; sketch < request.partialImages; sketch += 1) {
      const partial = { ...image, seed: `${image.seed}-${sketch}` };
      const event = await write(`${name}.partial_image`, partial, { partial_image_index: sketch });
      yield { kind: 'content', ...event };
    }
    const event = await write(`${name}.completed`, image, isLast ? writeEventUsage(usage) : {});
    yield { kind: isLast ? 'done' : 'content', ...event };
  }
}
