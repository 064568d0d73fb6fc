// Writes a form from the parts that were read: a boundary of our own, the same headers for every part, nothing before
// the first part and nothing behind the last. Values stay where they lie.
import type { FormChanges, FormPart } from '../../neutral/form.ts';
import { randomLetters } from '../../shared/ids.ts';

/** Bytes, or a range of the body that was read. */
export type Segment = Buffer | { start: number; end: number };

export interface WrittenForm {
  contentType: string;
  segments: Segment[];
}

/** Nobody knows it before the form is sent, so that no value can hold it. */
const BOUNDARY_LETTERS = 32;
const UNNAMED_FILE = 'file';

export function writeForm(parts: readonly FormPart[], { set = {}, remove = [] }: FormChanges): WrittenForm {
  const boundary = `tollgate-${randomLetters(BOUNDARY_LETTERS)}`;
  const left = new Map(Object.entries(set));
  const segments: Segment[] = [];
  let text = '';
  for (const part of parts) {
    if (remove.includes(part.name)) continue;
    const value = left.get(part.name);
    if (value !== undefined) {
      text += `${headOf(boundary, { name: part.name })}${value}\r\n`;
      left.delete(part.name);
    } else if (!Object.hasOwn(set, part.name)) {
      segments.push(Buffer.from(text + headOf(boundary, part)), { start: part.valueStart, end: part.valueEnd });
      text = '\r\n';
    }
  }
  for (const [name, value] of left) text += `${headOf(boundary, { name })}${value}\r\n`;
  segments.push(Buffer.from(`${text}--${boundary}--\r\n`));
  return { contentType: `multipart/form-data; boundary=${boundary}`, segments };
}

type Headed = Pick<FormPart, 'name'> & Partial<FormPart>;

function headOf(boundary: string, { name, filename, contentType }: Headed): string {
  const disposition = `--${boundary}\r\nContent-Disposition: form-data; name="${escape(name)}"`;
  if (filename === undefined) return `${disposition}\r\n\r\n`;
  const type = contentType ?? 'application/octet-stream';
  return `${disposition}; filename="${escape(filename) || UNNAMED_FILE}"\r\nContent-Type: ${type}\r\n\r\n`;
}

/** As browsers do (HTML, multipart/form-data encoding algorithm). What is read has no other character that needs it. */
function escape(text: string): string {
  return text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
