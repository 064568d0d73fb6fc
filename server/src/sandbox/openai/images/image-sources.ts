// The images that an edit starts from, each reduced to a fingerprint: files or addresses in a form, addresses in JSON.
import { createHash } from 'node:crypto';
import { refuseMissing } from '../../fields/check-fields.ts';
import { isObject, refuse, type WireObject } from '../../fields/refuse.ts';
import type { Form, FormFile } from '../../http/form/form.ts';

export type ImageSources = { images: string[]; mask: string | undefined };

const imageLimit = 16;
const imageBytesLimit = 50 * 1024 * 1024;
const imageField = /^image(\[\d*\])?$/;

export function readFormSources({ files, fields }: Form): ImageSources {
  const stray = files.find(({ field }) => !imageField.test(field) && field !== 'mask');
  if (stray !== undefined) refuse(stray.field, `Unknown parameter: '${stray.field}'.`, 'unknown_parameter');
  const sources = [
    ...files.map((file) => ({ name: file.field, read: () => readFile(file) })),
    ...fields.map(({ name, value }) => ({ name, read: () => readAddress(value, name) })),
  ];
  const masks = sources.filter(({ name }) => name === 'mask');
  if (masks.length > 1) refuse('mask', "Duplicate parameter: 'mask'.", 'duplicate_parameter');
  const images = sources.filter(({ name }) => imageField.test(name));
  return { images: checkCount(images.map(({ read }) => read())), mask: masks.map(({ read }) => read())[0] };
}

function readFile({ field, head, bytes, sha256 }: FormFile): string {
  if (bytes > imageBytesLimit) refuse(field, `Invalid '${field}': larger than 50 MiB.`, 'file_too_large');
  if (!isImage(head))
    refuse(field, `Invalid image file for '${field}': expected PNG, JPEG or WebP.`, 'invalid_image_file');
  return sha256;
}

export function readJsonSources(body: WireObject): ImageSources {
  const given = [body['image'] ?? [], body['images'] ?? []].flat();
  const images = given.map((image, index) => readAddress(image, `images[${index}]`));
  const mask = body['mask'] ?? undefined;
  return { images: checkCount(images), mask: mask === undefined ? undefined : readAddress(mask, 'mask') };
}

/** An address, or `{image_url}` with one; what a data address holds counts as if it had been uploaded. */
function readAddress(image: unknown, at: string): string {
  const address = isObject(image)
    ? isObject(image['image_url'])
      ? image['image_url']['url']
      : image['image_url']
    : image;
  if (typeof address !== 'string') refuse(at, `Invalid type for '${at}': expected the URL of an image.`);
  const data = /^data:image\/[\w.+-]+;base64,/.exec(address)?.[0];
  if (data !== undefined) {
    const bytes = Buffer.from(address.slice(data.length), 'base64');
    if (!isImage(bytes))
      refuse(at, `Invalid image file for '${at}': expected PNG, JPEG or WebP.`, 'invalid_image_file');
    return createHash('sha256').update(bytes).digest('hex');
  }
  if (!/^https?:\/\/[^\s]+$/i.test(address))
    refuse(at, `Invalid '${at}': not an http(s) or data URL.`, 'invalid_value');
  return createHash('sha256').update(address).digest('hex');
}

function checkCount(images: string[]): string[] {
  if (images.length === 0) refuseMissing('image');
  if (images.length > imageLimit) {
    refuse('image', `Invalid 'image': too many images. Expected at most ${imageLimit}.`, 'array_above_max_length');
  }
  return images;
}

function isImage(head: Buffer): boolean {
  const start = head.toString('latin1', 0, 12);
  return start.startsWith('\x89PNG\r\n\x1a\n') || start.startsWith('\xff\xd8\xff') || /^RIFF[^]{4}WEBP/.test(start);
}
