// Kling's own names in `metadata`, by what a task is made of. The prompt, the model and our own name of the task are not in
// here: `external_task_id` is how a submit without an answer is found again.
import {
  asItIs,
  type ForwardingMap,
  numberText,
  readArray,
  readFlag,
  readNumber,
  readObject,
  readText,
} from '../video/forwarding.ts';

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
  negative_prompt: readText,
  mode: readText,
  duration: numberText,
  cfg_scale: readNumber,
  sound: onOff,
  voice_list: readArray,
  'watermark_info.enabled': readFlag,
  callback_url: readText,
  multi_shot: readFlag,
  shot_type: readText,
  multi_prompt: readArray,
};

export const maps: Readonly<Record<Kind, ForwardingMap>> = {
  text2video: { ...every, aspect_ratio: readText, camera_control: readObject },
  image2video: {
    ...every,
    image: readPicture,
    image_tail: readPicture,
    camera_control: readObject,
    static_mask: readPicture,
    dynamic_masks: readArray,
    element_list: readArray,
  },
  'multi-image2video': { ...every, aspect_ratio: readText, image_list: readPictures },
  'motion-control': {
    mode: readText,
    video_url: readText,
    image_url: readPicture,
    character_orientation: readText,
    keep_original_sound: asItIs,
    'watermark_info.enabled': readFlag,
    callback_url: readText,
  },
};
