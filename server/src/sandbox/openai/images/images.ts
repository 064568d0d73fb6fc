// POST /v1/images/generations, /v1/images/edits, /v1/images/variations and /v1/edits: real pictures, whole or in stages.
import { removeDirectives } from '../../directives.ts';
import { checkBody } from '../../fields/check-fields.ts';
import { readFormValues } from '../../fields/form-values.ts';
import { refuse } from '../../fields/refuse.ts';
import { sendStream } from '../../http/send-stream.ts';
import { sendWhole } from '../../http/send-whole.ts';
import { makePng, type PngOptions } from '../../media/png.ts';
import type { Call } from '../../protocol.ts';
import { writeError } from '../error.ts';
import { checkModel } from '../models.ts';
import { makeSeed, writeImageUrl } from './image-files.ts';
import { type ImageRequest, readImageRequest } from './image-request.ts';
import { type ImageSources, readFormSources, readJsonSources } from './image-sources.ts';
import { writeImageUsage } from './image-usage.ts';
import { type ImageTask, writeEvents, writeImageDetails } from './write-images.ts';

const formTypes = { numbers: ['n', 'partial_images', 'output_compression'], booleans: ['stream', 'watermark'] };

export async function answerGenerations(call: Call): Promise<void> {
  const request = readImageRequest(checkBody(call.body));
  await answerImages(call, request);
}

export async function answerEdits(call: Call): Promise<void> {
  const { form } = call;
  const body = checkBody(call.body);
  const sources = form === undefined ? readJsonSources(body) : readFormSources(form);
  const request = readImageRequest(form === undefined ? body : readFormValues(body, formTypes));
  await answerImages(call, request, sources);
}

/** One picture, and nothing said of it. */
export async function answerVariations(call: Call): Promise<void> {
  const body = checkBody(call.body);
  const { form } = call;
  const sources = form === undefined ? readJsonSources(body) : readFormSources(form);
  for (const field of ['prompt', 'mask', 'stream'])
    if (body[field] !== undefined) refuse(field, `Unknown parameter: '${field}'.`, 'unknown_parameter');
  if (sources.images.length > 1) refuse('image', "Invalid 'image': expected one image.", 'invalid_value');
  const request = readImageRequest({ ...readFormValues(body, formTypes), prompt: 'a variation' });
  await answerImages(call, request, sources);
}

async function answerImages(call: Call, request: ImageRequest, sources?: ImageSources): Promise<void> {
  const { exchange, behaviour, models, now } = call;
  checkModel(request.model, models);
  const images = Array.from({ length: request.count }, (_, index) => planImage(request, sources, index));
  const usage = writeImageUsage(request, sources?.images.length ?? 0, behaviour);
  const created = Math.floor(now / 1000);
  const errorBody = writeError({ status: 500 });
  if (request.stream && !behaviour.ignoreStream) {
    const name = sources === undefined ? 'image_generation' : 'image_edit';
    const task: ImageTask = { name, request, images, created, usage };
    const error = { event: 'error', data: JSON.stringify({ type: 'error', ...errorBody }) };
    return sendStream(exchange, { events: writeEvents(task), writeError: () => error }, behaviour);
  }
  const data: object[] = [];
  for (const image of images) data.push(await writeImage(call, request, image));
  const body = {
    created,
    ...(request.countsTokens ? writeImageDetails(request) : {}),
    data,
    ...(usage === undefined ? {} : { usage }),
  };
  await sendWhole(exchange, { body, errorBody }, behaviour);
}

async function writeImage({ exchange }: Call, request: ImageRequest, image: PngOptions): Promise<object> {
  if (request.format === 'b64_json') return { b64_json: (await makePng(image)).toString('base64') };
  const prompt = removeDirectives(request.prompt);
  return { revised_prompt: `A pattern of waves, for: ${prompt}`, url: writeImageUrl(exchange, image) };
}

function planImage(request: ImageRequest, sources: ImageSources | undefined, index: number): PngOptions {
  const { prompt, model, quality, width, height, background } = request;
  const seed = makeSeed([removeDirectives(prompt), model, quality, sources?.images, sources?.mask, index]);
  return { width, height, seed, transparent: background === 'transparent' };
}
