// A form that was never sent, for tests of what reads forms. It keeps what it was asked to change.
import { invalidRequest } from '../errors/gateway-error.ts';
import type { Form, FormChanges, FormPart } from '../neutral/form.ts';

export const FAKE_TYPE = 'multipart/form-data; boundary=fake';
/** As forms that were sent have it. */
const LONGEST_TEXT = 1024 * 1024;

export type FakeValue = string | { file: string | Buffer; filename?: string; contentType?: string };

export function fakeForm(fields: [string, FakeValue][]): Form & { rewritten: FormChanges | undefined } {
  const parts: FormPart[] = [];
  const values: Buffer[] = [];
  let at = 0;
  for (const [name, value] of fields) {
    const isText = typeof value === 'string';
    const bytes = Buffer.from(isText ? value : value.file);
    const filename = isText ? undefined : (value.filename ?? 'file.bin');
    const contentType = isText ? undefined : value.contentType;
    parts.push({ name, filename, contentType, valueStart: at, valueEnd: at + bytes.length });
    values.push(bytes);
    at += bytes.length;
  }
  const bytes = Buffer.concat(values);
  return {
    parts,
    rewritten: undefined,
    text({ name, valueStart, valueEnd }) {
      if (valueEnd - valueStart > LONGEST_TEXT) throw invalidRequest(`"${name}" is not a text.`, name);
      return bytes.toString('utf8', valueStart, valueEnd);
    },
    rewrite(changes) {
      this.rewritten = changes;
      return { contentType: FAKE_TYPE, length: bytes.length, open: () => sendOnce(bytes) };
    },
    read: async (start, end) => bytes.subarray(start, end),
    discard: async () => {},
  };
}

/** A body that must be plain bytes. */
export function textOf(body: unknown): string {
  return Buffer.isBuffer(body) ? body.toString('utf8') : 'stored elsewhere';
}

async function* sendOnce(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
