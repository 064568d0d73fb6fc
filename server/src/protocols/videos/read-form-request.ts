// POST /v1/videos with a form -> the neutral request: the fields of spec 2.1 as text, and a reference that may be a file
// (contract 5). Vendors' clients write objects and arrays as `metadata[duration]` and `images[]`.
import { invalidRequest } from '../../errors/gateway-error.ts';
import type { Form } from '../../neutral/form.ts';
import type { VideoRequest } from '../../neutral/video.ts';
import { checkForm, formPicture, formText, readPicture } from '../json/form-request.ts';
import { readVideoRequest, videoFields } from '../video/video-request.ts';
import { isMetadataName, readFormMetadata } from './form-metadata.ts';
import { readFormReference, REFERENCE_ADDRESS } from './form-reference.ts';

const IMAGES_NAME = /^images(?:\[(\d{0,4})\])?$/;
const known = new Set([...videoFields.keys(), REFERENCE_ADDRESS]);
const rules = { known, lists: new Set(['images']), bracketed: /^(?:images\[\d{0,4}\]|metadata\[.*)$/su };

export async function readVideoForm(form: Form): Promise<VideoRequest> {
  checkForm(form, rules);
  const images = await readImages(form);
  const image = await formPicture(form, 'image');
  const metadata = readFormMetadata(form);
  const read = (name: string): unknown => {
    if (name === 'images') return images;
    if (name === 'image') return image;
    return name === 'metadata' ? metadata : formText(form, name);
  };
  const request = readVideoRequest(read, { inputReference: undefined, unknown: unknownParts(form) });
  return { ...request, inputReference: await readFormReference(form), sizeBinds: true };
}

function unknownParts(form: Form): string[] {
  const names = new Set(form.parts.map(({ name }) => name));
  return [...names].filter((name) => !known.has(name) && !IMAGES_NAME.test(name) && !isMetadataName(name));
}

/** Prompts name images by their order: that of the indices where parts have any, else as they came. */
function indexOf(name: string): number {
  return Number(IMAGES_NAME.exec(name)?.[1] ?? 0);
}

/** Addresses, one in each part, or all of them in one as a JSON array. */
async function readImages(form: Form): Promise<unknown[]> {
  const images: unknown[] = [];
  const parts = form.parts.filter(({ name }) => IMAGES_NAME.test(name));
  for (const part of parts.sort((one, other) => indexOf(one.name) - indexOf(other.name))) {
    if (part.filename !== undefined) throw invalidRequest("'images' must be text fields, not files.", 'images');
    const text = await readPicture(form, part);
    images.push(...(text.trimStart().startsWith('[') ? parseArray(text) : [text]));
  }
  return images.filter((value) => value !== '');
}

function parseArray(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value)) return value;
  } catch {
    // said below
  }
  throw invalidRequest("'images' must be addresses, or a JSON array of them.", 'images');
}
