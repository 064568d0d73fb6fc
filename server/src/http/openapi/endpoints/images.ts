// Images (spec 2.8) in the OpenAPI document.
import { editFields, generationFields, MAX_IMAGES } from '../../../protocols/openai-images/wire.ts';
import { bodyFrom, type FieldNote, formFrom } from '../from-fields.ts';
import {
  any,
  type Components,
  count,
  type Descriptions,
  either,
  eventsOf,
  flag,
  integer,
  list,
  must,
  object,
  oneWord,
  ref,
  type Schema,
  text,
} from '../schema.ts';

const notes: Record<string, string | FieldNote> = {
  model: 'Name of a model of GET /v1/models',
  prompt: 'What to show',
  n: { about: 'How many images', least: 1, most: MAX_IMAGES },
  size: 'Such as 1024x1024, or auto',
  quality: 'Such as standard, hd, low, medium, high or auto',
  response_format: 'url or b64_json',
  stream: 'Answer as server-sent events, where the model can',
  watermark: 'Whether the image bears a watermark',
  partial_images: 'How many sketches come before each image of a stream',
};
const picture = either(undefined, text('https address or data: address'), ref('PictureReference'));
const pictures = either(undefined, text(), list(picture));

const editBody = bodyFrom({
  fields: editFields,
  required: ['model'],
  about: '`image` or `images` is required.',
  notes: {
    ...notes,
    image: { about: 'The images to change, by address', schema: pictures },
    images: { about: 'The same', schema: pictures },
    mask: { about: 'What of the image may change, by address', schema: picture },
  },
});

const file = text(undefined, { format: 'binary' });
const editForm = formFrom({
  names: editFields.keys(),
  required: ['model', 'image'],
  notes: {
    ...notes,
    n: { about: 'How many images', schema: integer(), least: 1, most: MAX_IMAGES },
    stream: { about: 'Answer as server-sent events, where the model can', schema: flag() },
    watermark: { about: 'Whether the image bears a watermark', schema: flag() },
    partial_images: { about: 'How many sketches come before each image of a stream', schema: any() },
    image: { about: 'The images to change: files, one for each field of the name', schema: list(file) },
    images: { about: 'The same by another name', schema: list(file) },
    mask: { about: 'What of the image may change', schema: file },
  },
});

const variationNames = ['model', 'image', 'n', 'size', 'quality', 'response_format'];
const variationForm = formFrom({
  names: variationNames,
  required: ['model', 'image'],
  notes: {
    ...Object.fromEntries(['model', 'size', 'quality', 'response_format'].map((name) => [name, notes[name] ?? ''])),
    n: { about: 'How many images', schema: integer(), least: 1, most: MAX_IMAGES },
    image: { about: 'The picture to vary', schema: file },
  },
});

const usage = ref('ImageUsage');
const event = (type: string, own: Record<string, Schema>, more: Record<string, Schema> = {}): Schema =>
  object({
    type: must(oneWord(type)),
    b64_json: text(),
    ...own,
    created_at: integer(),
    size: text(),
    quality: text(),
    ...more,
  });
const finished = (kind: string): Schema => event(`${kind}.completed`, { url: text() }, { usage });
const sketch = (kind: string): Schema => event(`${kind}.partial_image`, { partial_image_index: count() });
const events = (kind: string, name: string): Schema =>
  eventsOf(
    { [`${kind}.partial_image`]: `${name}Sketch`, [`${kind}.completed`]: `${name}Finished`, error: 'StreamError' },
    'Sketches, then the finished image, as many times as images were asked for.',
  );

export const components: Components = {
  PictureReference: object({ image_url: text('https address or data: address'), file_id: text() }),
  ImageUsage: object({
    input_tokens: count(),
    output_tokens: count(),
    total_tokens: count(),
    input_tokens_details: object({ text_tokens: count(), image_tokens: count() }),
  }),
  Images: object({
    created: must(integer('Unix seconds')),
    data: must(list(object({ url: text(), b64_json: text(), revised_prompt: text() }))),
    usage,
  }),
  ImageSketch: sketch('image_generation'),
  ImageFinished: finished('image_generation'),
  ImageEditSketch: sketch('image_edit'),
  ImageEditFinished: finished('image_edit'),
  StreamError: object({
    type: must(oneWord('error')),
    error: object({ message: text(), type: text(), code: any(), param: any() }),
  }),
  ImageEvent: events('image_generation', 'Image'),
  ImageEditEvent: events('image_edit', 'ImageEdit'),
};

const answer = {
  answer: ref('Images'),
  answerExample: { created: 1_790_000_000, data: [{ url: 'https://gw.example.com/image.png' }] },
};
const edit = (operationId: string): Descriptions[string] => ({
  operationId,
  body: editBody,
  form: editForm,
  example: { model: 'image-example', prompt: 'Add a hat.', image: 'https://example.com/cat.png' },
  event: ref('ImageEditEvent'),
  ...answer,
});

export const descriptions: Descriptions = {
  'POST /v1/images/generations': {
    operationId: 'createImage',
    body: bodyFrom({ fields: generationFields, required: ['model', 'prompt'], notes }),
    example: { model: 'image-example', prompt: 'A cat', size: '1024x1024' },
    event: ref('ImageEvent'),
    ...answer,
  },
  'POST /v1/images/edits': edit('editImage'),
  'POST /v1/images/variations': { operationId: 'createImageVariation', form: variationForm, ...answer },
  'POST /v1/edits': edit('editImageLegacy'),
};
