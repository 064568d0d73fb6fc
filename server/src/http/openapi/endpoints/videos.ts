// Video tasks in both client shapes (spec 2.1 to 2.4) in the OpenAPI document.
import { klingFields } from '../../../protocols/kling-videos/read-request.ts';
import { videoFields } from '../../../protocols/video/video-request.ts';
import { REFERENCE_ADDRESS } from '../../../protocols/videos/form-reference.ts';
import { remixFields } from '../../../protocols/videos/read-remix-request.ts';
import { videoJsonFields } from '../../../protocols/videos/read-json-request.ts';
import { bodyFrom, type FieldNote, formFrom } from '../from-fields.ts';
import {
  always,
  type Components,
  type Descriptions,
  either,
  flag,
  integer,
  list,
  map,
  must,
  object,
  oneWord,
  orNull,
  parameter,
  ref,
  type Schema,
  text,
  whole,
  words,
} from '../schema.ts';

const notes: Record<string, string | FieldNote> = {
  model: 'Name of a model of GET /v1/models',
  prompt: 'What to show; empty or missing: 400 `prompt is required`',
  image: 'Address of a reference image; becomes `images` when that is empty',
  images: {
    about: 'Addresses of reference images: the first frame, or several references',
    schema: list(text(undefined, { minLength: 1 })),
  },
  metadata: {
    about: 'Parameters of the model or provider; an object, or the JSON text of one',
    schema: either(undefined, map(), text()),
  },
  seconds: { about: 'Duration, for compatible clients', schema: text() },
  duration: { about: 'Duration in seconds', schema: integer() },
  size: 'Used by some models, such as 1280x720',
  mode: 'Used by some models',
  input_reference: 'Address of a reference image',
  webhook_url: { about: 'Called with the task when it has ended', schema: text() },
};
const required = ['model', 'prompt'];

const generationBody = bodyFrom({ fields: videoFields, required, notes });
const videoBody = bodyFrom({
  fields: videoJsonFields,
  required,
  notes: {
    ...notes,
    input_reference: {
      about: 'Address of a reference image, or an object with it',
      schema: either(undefined, text(), whole({ image_url: text() })),
    },
  },
});
const videoForm = formFrom({
  names: [...videoFields.keys(), REFERENCE_ADDRESS],
  required,
  notes: {
    ...notes,
    metadata: 'Parameters of the model or provider, as JSON text or field by field: metadata[name]',
    input_reference: {
      about: 'A reference image: its address, or a file of at most 20 MiB',
      schema: text(undefined, { format: 'binary' }),
    },
    [REFERENCE_ADDRESS]: 'Address of a reference image',
  },
});

const klingNotes: Record<string, string | FieldNote> = {
  model_name: 'Name of a model of GET /v1/models',
  model: 'The same, as other gateways take it',
  prompt: 'What to show',
  mode: 'std or pro',
  duration: { about: 'Seconds', schema: either(undefined, text(), { type: 'number' }) },
  image: 'First frame: an address, or base64',
  image_tail: 'Last frame, likewise',
  webhook_url: { about: 'Called with the task when it has ended', schema: text() },
};
const klingText = bodyFrom({ fields: klingFields, required: ['model_name', 'prompt'], notes: klingNotes });
const klingImage = bodyFrom({ fields: klingFields, required: ['model_name', 'image'], notes: klingNotes });

const submitted: Record<string, Schema> = {
  id: text('Public task id, equal to `task_id`'),
  task_id: text(),
  object: oneWord('video'),
  model: text(),
  status: text('queued, in_progress, completed or failed'),
  progress: integer('Percent', { minimum: 0, maximum: 100 }),
  created_at: integer('Unix seconds'),
};

export const components: Components = {
  KlingTask: whole({
    code: integer('0 for success'),
    message: text(),
    request_id: text(),
    data: object({
      task_id: must(text()),
      task_status: must(words(['submitted', 'processing', 'succeed', 'failed'])),
      task_status_msg: text('Why it failed'),
      created_at: must(integer('Unix milliseconds')),
      updated_at: must(integer('Unix milliseconds')),
      task_result: whole({ videos: list(object({ id: must(text()), url: must(text()), duration: text() })) }),
    }),
  }),
  SubmittedVideo: whole(submitted),
  Video: object({
    ...always({
      ...submitted,
      completed_at: orNull(integer('Unix seconds')),
      seconds: orNull(text()),
      size: orNull(text()),
      error: orNull(whole({ code: text(), message: text() })),
    }),
    remixed_from_video_id: text('Of a remix: the video that it was made of'),
    url: text('Once it has completed'),
    video_url: text('The same'),
    metadata: whole({ url: text('The same') }),
  }),
  VideoTask: whole({
    code: oneWord('success'),
    message: oneWord(''),
    data: whole({
      task_id: text(),
      status: words(['SUBMITTED', 'QUEUED', 'IN_PROGRESS', 'SUCCESS', 'FAILURE']),
      progress: text('Such as 40%'),
      result_url: text('Address of the video, with status SUCCESS'),
      fail_reason: text('Why it failed, with status FAILURE'),
    }),
  }),
};

const example = { model: 'video-example', prompt: 'A cat that jumps', seconds: '5' };
const task = {
  id: 'task_1',
  task_id: 'task_1',
  object: 'video',
  model: 'video-example',
  status: 'queued',
  progress: 0,
  created_at: 1_790_000_000,
};
const video = { ...task, completed_at: null, seconds: '5', size: null, error: null };
const klingExample = { model_name: 'video-example', prompt: 'A cat that jumps', duration: '5' };
const klingAnswer = {
  answer: ref('KlingTask'),
  answerExample: {
    code: 0,
    message: 'SUCCEED',
    request_id: 'req_1',
    data: {
      task_id: 'task_1',
      task_status: 'submitted',
      created_at: 1_790_000_000_000,
      updated_at: 1_790_000_000_000,
    },
  },
  says: 'The task as it stands; `task_result` once it has succeeded',
};
const BEGUN = 'The task, which has just begun: ask for it until it has ended';

export const descriptions: Descriptions = {
  'POST /kling/v1/videos/text2video': {
    operationId: 'submitKlingText',
    body: klingText,
    example: klingExample,
    ...klingAnswer,
    says: BEGUN,
  },
  'GET /kling/v1/videos/text2video/{task_id}': { operationId: 'getKlingText', ...klingAnswer },
  'POST /kling/v1/videos/image2video': {
    operationId: 'submitKlingImage',
    body: klingImage,
    example: { ...klingExample, image: 'https://media.example/cat.png' },
    ...klingAnswer,
    says: BEGUN,
  },
  'GET /kling/v1/videos/image2video/{task_id}': { operationId: 'getKlingImage', ...klingAnswer },
  'POST /v1/video/generations': {
    operationId: 'submitVideoGeneration',
    body: generationBody,
    example,
    answer: ref('SubmittedVideo'),
    answerExample: task,
    says: BEGUN,
  },
  'GET /v1/video/generations/{task_id}': {
    operationId: 'getVideoGeneration',
    answer: ref('VideoTask'),
    answerExample: {
      code: 'success',
      message: '',
      data: { task_id: 'task_1', status: 'IN_PROGRESS', progress: '40%', result_url: '', fail_reason: '' },
    },
    says: 'The task as it stands; `result_url` once it has succeeded',
  },
  'POST /v1/videos': {
    operationId: 'createVideo',
    body: videoBody,
    form: videoForm,
    example,
    answer: ref('Video'),
    answerExample: video,
    says: BEGUN,
  },
  'GET /v1/videos': {
    operationId: 'listVideos',
    answer: whole({
      object: oneWord('list'),
      data: list(ref('Video')),
      first_id: orNull(text()),
      last_id: orNull(text()),
      has_more: flag(),
    }),
    answerExample: { object: 'list', data: [video], first_id: 'task_1', last_id: 'task_1', has_more: false },
    says: 'A page of tasks, the newest first unless asked otherwise',
    query: [
      parameter('limit', integer(undefined, { minimum: 0, maximum: 100, default: 20 }), 'How many at most'),
      parameter('order', { type: 'string', enum: ['asc', 'desc'], default: 'desc' }, 'By the time of the submit'),
      parameter('after', text(), '`last_id` of the page before'),
    ],
  },
  'GET /v1/videos/{task_id}': {
    operationId: 'getVideo',
    answer: ref('Video'),
    answerExample: video,
    says: 'The task as it stands; `url` once it has completed',
  },
  'GET /v1/videos/{task_id}/content': {
    operationId: 'getVideoContent',
    bytes: 'video/mp4',
    query: [
      parameter(
        'variant',
        { type: 'string', enum: ['video', 'thumbnail', 'spritesheet'], default: 'video' },
        'A picture of the video instead, where its provider has one',
      ),
    ],
  },
  'POST /v1/videos/{task_id}/remix': {
    operationId: 'remixVideo',
    body: bodyFrom({
      fields: remixFields,
      required: ['prompt'],
      notes: { prompt: notes['prompt'] ?? '', webhook_url: notes['webhook_url'] ?? '' },
    }),
    example: { prompt: 'The same at night' },
    answer: ref('Video'),
    says: 'The task of the new video; `remixed_from_video_id` names the one that it was made of',
  },
  'DELETE /v1/videos/{task_id}': {
    operationId: 'deleteVideo',
    answer: whole({ id: text(), object: oneWord('video.deleted'), deleted: { type: 'boolean', const: true } }),
    answerExample: { id: 'task_1', object: 'video.deleted', deleted: true },
    says: 'The task is gone; what it had held is free again if it had not ended',
  },
};
