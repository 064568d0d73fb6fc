// What a form says about a new file: its purpose, its name and type, and when it is to go.
import { invalidRequest } from '../errors/gateway-error.ts';
import type { Form, FormPart } from '../neutral/form.ts';
import type { NewFile } from './keep-file.ts';

/** Of files that clients send; results of batches have another. */
const PURPOSES = ['batch', 'user_data', 'vision', 'assistants'] as const;

const [LEAST_SECONDS, MOST_SECONDS] = [3_600, 30 * 24 * 3_600];
const PIECE_BYTES = 256 * 1024;
const MOST_NAME = 255;
const TYPE = /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/;

export function readUpload(
  form: Form,
): Pick<NewFile, 'purpose' | 'filename' | 'contentType' | 'expiresAfter' | 'source'> {
  const file = onlyPart(form, 'file');
  if (file?.filename === undefined) throw invalidRequest("'file' is required: a file in a multipart form.", 'file');
  const { valueStart, valueEnd } = file;
  if (valueStart === valueEnd) throw invalidRequest("'file' is empty.", 'file');
  return {
    purpose: readPurpose(form),
    filename: nameOf(file.filename),
    contentType: TYPE.test(file.contentType ?? '') ? (file.contentType ?? '') : 'application/octet-stream',
    expiresAfter: readExpiry(form),
    source: {
      length: valueEnd - valueStart,
      async *open() {
        for (let start = valueStart; start < valueEnd; start += PIECE_BYTES)
          yield await form.read(start, Math.min(valueEnd, start + PIECE_BYTES));
      },
    },
  };
}

function onlyPart(form: Form, name: string): FormPart | undefined {
  const parts = form.parts.filter((part) => part.name === name);
  if (parts.length > 1) throw invalidRequest(`'${name}' is given more than once.`, name);
  return parts[0];
}

function textOf(form: Form, name: string): string | undefined {
  const part = onlyPart(form, name);
  if (part?.filename !== undefined) throw invalidRequest(`'${name}' must be a text.`, name);
  return part && form.text(part);
}

function readPurpose(form: Form): string {
  const purpose = textOf(form, 'purpose');
  if (purpose === undefined || purpose === '') throw invalidRequest("'purpose' is required.", 'purpose');
  if (PURPOSES.some((known) => known === purpose)) return purpose;
  throw invalidRequest(`'purpose' must be one of ${PURPOSES.join(', ')}.`, 'purpose');
}

/** As form fields: expires_after[anchor]=created_at, expires_after[seconds]=3600. */
function readExpiry(form: Form): number | undefined {
  const [anchor, seconds] = [textOf(form, 'expires_after[anchor]'), textOf(form, 'expires_after[seconds]')];
  return anchor === undefined && seconds === undefined ? undefined : readExpiresAfter({ anchor, seconds });
}

/** The seconds; `seconds` may be a number or its text. `field`: what the caller calls it. */
export function readExpiresAfter(
  { anchor, seconds }: { anchor?: unknown; seconds?: unknown },
  field = 'expires_after',
): number {
  if (anchor !== 'created_at') throw invalidRequest(`'${field}.anchor' must be created_at.`, `${field}.anchor`);
  const number = typeof seconds === 'string' && /^\d{1,9}$/.test(seconds) ? Number(seconds) : seconds;
  if (Number.isInteger(number) && Number(number) >= LEAST_SECONDS && Number(number) <= MOST_SECONDS)
    return Number(number);
  throw invalidRequest(
    `'${field}.seconds' must be a whole number from ${LEAST_SECONDS} to ${MOST_SECONDS}.`,
    `${field}.seconds`,
  );
}

/** Without folders and control characters: it is shown in headers and on pages. */
function nameOf(filename: string): string {
  const name = filename
    .split(/[\\/]/)
    .at(-1)
    ?.replaceAll(/[\p{Cc}\p{Cs}]/gu, '');
  return (name ?? '').slice(0, MOST_NAME) || 'file';
}
