// Kling's own names in `metadata`, by what a task is made of. The prompt, the model and our own name of the task are not in
// here: `external_task_id` is how a submit without an answer is found again.
import { readArray, readObject, readText } from '../metadata-values.ts';
import { type ForwardingMap, numberText } from '../video/forwarding.ts';

export type Kind = 'text2video' | 'image2video' | 'multi-image2video' | 'motion-control';

/** `on` or `off` in Kling's words; a flag is taken too. */
const onOff = (value: unknown, field: string): string => {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return readText(value, field);
};

/** Kling takes base64 without the head of a data address. */
export function bare(picture: string): string {
  return picture.replace(/^data:[^,]*;base64,/i, '');
}

const readPicture = (value: unknown, field: string): string => bare(readText(value, field));
const readPictures = (value: unknown, field: string): unknown[] =>
  readArray(value, field).map((item, index) => {
    const { image, ...others } = readObject(item, `${field}[${index}]`);
    return typeof image === 'string' ? { image: bare(image), ...others } : item;
  });

const every: ForwardingMap = {
  negative_prompt: 'text',
  mode: 'text',
  duration: numberText,
  cfg_scale: 'number',
  sound: onOff,
  voice_list: 'array',
  'watermark_info.enabled': 'flag',
  callback_url: 'text',
  multi_shot: 'flag',
  shot_type: 'text',
  multi_prompt: 'array',
};

export const maps: Readonly<Record<Kind, ForwardingMap>> = {
  text2video: { ...every, aspect_ratio: 'text', camera_control: 'object' },
  image2video: {
    ...every,
    image: readPicture,
    image_tail: readPicture,
    camera_control: 'object',
    static_mask: readPicture,
    dynamic_masks: 'array',
    element_list: 'array',
  },
  'multi-image2video': { ...every, aspect_ratio: 'text', image_list: readPictures },
  'motion-control': {
    mode: 'text',
    video_url: 'text',
    image_url: readPicture,
    character_orientation: 'text',
    keep_original_sound: 'any',
    'watermark_info.enabled': 'flag',
    callback_url: 'text',
  },
};
