// The picture that a form may bring as `input_reference`: an address as text, or a file, which goes on as a data address.
import { invalidRequest } from '../../errors/gateway-error.ts';
import type { Form, FormPart } from '../../neutral/form.ts';
import { formPicture, readPicture, sizeOf } from '../json/form-request.ts';

const FIELD = 'input_reference';
/** How vendors' clients flatten `{"input_reference": {"image_url"}}`. */
export const REFERENCE_ADDRESS = 'input_reference[image_url]';
/** It is held in memory, and a third larger as base64. */
const MAX_FILE_MIB = 20;

export async function readFormReference(form: Form): Promise<string | undefined> {
  const part = form.parts.find(({ name }) => name === FIELD);
  const address = await formPicture(form, REFERENCE_ADDRESS);
  if (part !== undefined && address !== undefined) throw invalidRequest(`'${FIELD}' is given more than once.`, FIELD);
  if (part?.filename !== undefined) return readFile(form, part);
  const text = part === undefined ? address : await readPicture(form, part);
  if (text === undefined || text.trim() === '') return undefined;
  return text.trimStart().startsWith('{') ? addressIn(text) : text;
}

/** The object that JSON clients send (contract 5), as the text of one. */
function addressIn(text: string): string {
  try {
    const { image_url: address } = JSON.parse(text) as Record<string, unknown>;
    if (typeof address === 'string' && address.trim() !== '') return address;
  } catch {
    // said below
  }
  throw invalidRequest(`'${FIELD}' must be an address, or an object with it in image_url.`, FIELD);
}

async function readFile(form: Form, part: FormPart): Promise<string> {
  if (sizeOf(part) === 0) throw invalidRequest(`'${FIELD}' is an empty file.`, FIELD);
  if (sizeOf(part) > MAX_FILE_MIB * 1024 * 1024)
    throw invalidRequest(`'${FIELD}' is larger than ${MAX_FILE_MIB} MiB.`, FIELD);
  const bytes = await form.read(part.valueStart, part.valueEnd);
  const type = declaredType(part.contentType) ?? recognisedType(bytes);
  if (type === undefined)
    throw invalidRequest(`'${FIELD}' must be a file of type image/png, image/jpeg or alike.`, FIELD);
  return `data:${type};base64,${bytes.toString('base64')}`;
}

function declaredType(contentType: string | undefined): string | undefined {
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return /^image\/[a-z0-9.+-]+$/.test(type) ? type : undefined;
}

/** Clients that know no type send none, or application/octet-stream. */
function recognisedType(bytes: Buffer): string | undefined {
  const start = bytes.toString('latin1', 0, 12);
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (/^GIF8[79]a/.test(start)) return 'image/gif';
  return /^RIFF[^]{4}WEBP/.test(start) ? 'image/webp' : undefined;
}
