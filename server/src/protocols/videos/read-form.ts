// POST /v1/videos with a form -> what is wished for: the fields of spec 2.1 as text, and a reference that may be a file
// (contract 5). Vendors' clients write objects and arrays as `metadata[duration]` and `images[]`.
import { invalidRequest } from '../../errors/gateway-error.ts';
import type { Form } from '../../neutral/form.ts';
import type { VideoWish } from '../../neutral/video.ts';
import { checkForm, formText } from '../form-request.ts';
import { decidingFields, readWish, videoFields } from '../video-wish.ts';
import { isMetadataName, readFormMetadata } from './form-metadata.ts';
import { readFormReference, REFERENCE_ADDRESS } from './form-reference.ts';

const IMAGES_NAME = /^images(?:\[\d{0,4}\])?$/;
const known = new Set([...videoFields.keys(), REFERENCE_ADDRESS]);
const deciding = [...decidingFields, REFERENCE_ADDRESS].filter((name) => name !== 'images');

export async function readVideoForm(form: Form): Promise<VideoWish> {
  checkForm(form, { known, deciding });
  const images = readImages(form);
  const metadata = readFormMetadata(form);
  const read = (name: string): unknown => {
    if (name === 'images') return images;
    return name === 'metadata' ? metadata : formText(form, name);
  };
  const wish = readWish(read, { inputReference: undefined, unknown: unknownParts(form) });
  return { ...wish, inputReference: await readFormReference(form) };
}

function unknownParts(form: Form): string[] {
  const names = new Set(form.parts.map(({ name }) => name));
  return [...names].filter((name) => !known.has(name) && !IMAGES_NAME.test(name) && !isMetadataName(name));
}

/** Addresses, one in each part, or all of them in one as a JSON array. */
function readImages(form: Form): unknown[] {
  return form.parts
    .filter(({ name }) => IMAGES_NAME.test(name))
    .flatMap((part): unknown[] => {
      if (part.filename !== undefined) throw invalidRequest("'images' must be text fields, not files.", 'images');
      const text = form.text(part);
      return text.trimStart().startsWith('[') ? parseArray(text) : [text];
    })
    .filter((value) => value !== '');
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
