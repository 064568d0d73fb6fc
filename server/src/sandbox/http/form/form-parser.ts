// Takes multipart/form-data in pieces of any size, cut anywhere, and keeps no more than a delimiter's length of what
// it has already seen. https://www.rfc-editor.org/rfc/rfc2046#section-5.1
import { createFileDigest } from './file-digest.ts';
import type { Form } from './form.ts';
import { readPartHeader, refuseForm } from './part-header.ts';

const headerLimit = 16 * 1024;
const fieldLimit = 1024 * 1024;
/** A picture may come as a data URL. */
const pictureField = /^(?:images?|image\[\d*\]|mask)$/;
const pictureLimit = 64 * fieldLimit;
const partLimit = 256;
const crlf = Buffer.from('\r\n');
const headerEnd = Buffer.from('\r\n\r\n');

export type FormParser = {
  push(bytes: Buffer): void;
  /** Refuses a form whose closing delimiter has not come. */
  finish(): Form;
};

type Part = { push(bytes: Buffer): void; end(): void };
type State = 'preamble' | 'after delimiter' | 'header' | 'body' | 'epilogue';

export function createFormParser(boundary: string): FormParser {
  const form: Form = { fields: [], files: [] };
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  // The first delimiter needs no line break before it.
  let pending: Buffer = crlf;
  let state: State = 'preamble';
  let part: Part | undefined;
  let parts = 0;

  /** One step; false when more bytes are needed for the next. */
  function step(): boolean {
    switch (state) {
      case 'preamble':
      case 'body':
        return passUntilDelimiter();
      case 'after delimiter':
        return readDelimiterEnd();
      case 'header':
        return readHeader();
      case 'epilogue':
        pending = Buffer.alloc(0);
        return false;
    }
  }

  function passUntilDelimiter(): boolean {
    const at = pending.indexOf(delimiter);
    const passed = at < 0 ? Math.max(0, pending.length - delimiter.length + 1) : at;
    if (passed > 0) part?.push(pending.subarray(0, passed));
    pending = pending.subarray(at < 0 ? passed : at + delimiter.length);
    if (at < 0) return false;
    part?.end();
    part = undefined;
    state = 'after delimiter';
    return true;
  }

  function readDelimiterEnd(): boolean {
    if (pending.length < 2) return false;
    const mark = pending.toString('latin1', 0, 2);
    if (mark !== '--' && mark !== '\r\n') refuseForm('a delimiter is not followed by a line break.');
    state = mark === '--' ? 'epilogue' : 'header';
    pending = pending.subarray(2);
    return true;
  }

  function readHeader(): boolean {
    const at = pending.indexOf(headerEnd);
    if (at < 0 ? pending.length > headerLimit : at > headerLimit) refuseForm('the header of a part is too long.');
    if (at < 0) return false;
    parts += 1;
    if (parts > partLimit) refuseForm(`more than ${partLimit} parts.`);
    part = openPart(pending.toString('utf8', 0, at), form);
    pending = pending.subarray(at + headerEnd.length);
    state = 'body';
    return true;
  }

  return {
    push(bytes) {
      pending = pending.length === 0 ? bytes : Buffer.concat([pending, bytes]);
      while (step());
      // A copy, so that the rest does not keep the buffer it came in.
      pending = Buffer.from(pending);
    },
    finish() {
      if (state !== 'epilogue') refuseForm('unexpected end of the form.');
      return form;
    },
  };
}

function openPart(block: string, form: Form): Part {
  const { name, filename, contentType } = readPartHeader(block);
  if (filename !== undefined) {
    const digest = createFileDigest();
    const end = (): void => void form.files.push({ field: name, filename, contentType, ...digest.finish() });
    return { push: digest.push, end };
  }
  const limit = pictureField.test(name) ? pictureLimit : fieldLimit;
  const pieces: Buffer[] = [];
  let size = 0;
  return {
    push(bytes) {
      size += bytes.length;
      if (size > limit) refuseForm(`the field '${name.slice(0, 100)}' is longer than ${limit / fieldLimit} MiB.`);
      pieces.push(Buffer.from(bytes));
    },
    end: () => void form.fields.push({ name, value: Buffer.concat(pieces).toString('utf8') }),
  };
}
