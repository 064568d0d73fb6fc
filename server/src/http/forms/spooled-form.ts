// A form whose bytes lie in a spool: hands out ranges of them, and bodies made of such ranges and of new headers.
import { invalidRequest } from '../../errors/gateway-error.ts';
import type { Form, FormBody, FormChanges, FormPart } from '../../neutral/form.ts';
import { COUNTED_FROM } from '../../shared/runtime/counted-bytes.ts';
import type { Spool } from './spool.ts';
import { randomLetters } from '../../shared/ids.ts';

const PIECE_BYTES = COUNTED_FROM;
/** Smaller ones are sent together: headers and texts of a form need not be a write each. */
const SMALL_BYTES = 16 * 1024;
const GATHERED_BYTES = 64 * 1024;

export interface SpooledFormFacts {
  parts: readonly FormPart[];
  maxFieldBytes: number;
  spool: Spool;
}

export class SpooledForm implements Form {
  readonly parts: readonly FormPart[];
  readonly #facts: SpooledFormFacts;

  constructor(facts: SpooledFormFacts) {
    this.#facts = facts;
    this.parts = facts.parts;
  }

  text({ name, valueStart, valueEnd }: FormPart): string {
    if (valueEnd - valueStart > this.#facts.maxFieldBytes) throw invalidRequest(`"${name}" is not a text.`, name);
    return this.#facts.spool.readNow(valueStart, valueEnd).toString('utf8');
  }

  read(start: number, end: number): Promise<Buffer> {
    return this.#facts.spool.read(start, end);
  }

  discard(): Promise<void> {
    return this.#facts.spool.discard();
  }

  rewrite(changes: FormChanges): FormBody {
    const { parts, spool } = this.#facts;
    const { contentType, segments } = writeForm(parts, changes);
    return {
      contentType,
      length: segments.reduce((sum, segment) => sum + lengthOf(segment), 0),
      open: () => readSegments(spool, segments),
    };
  }
}

/** A whole piece is good until the next one is asked for: its buffer is filled again then. */
async function* readSegments(spool: Spool, segments: readonly Segment[]): AsyncGenerator<Buffer> {
  let buffer: Buffer | undefined;
  let small: Buffer[] = [];
  let smallBytes = 0;
  for (const segment of segments) {
    const length = lengthOf(segment);
    if (length <= SMALL_BYTES) {
      small.push(Buffer.isBuffer(segment) ? segment : await spool.read(segment.start, segment.end));
      smallBytes += length;
      if (smallBytes < GATHERED_BYTES) continue;
    }
    if (small.length > 0) yield Buffer.concat(small);
    [small, smallBytes] = [[], 0];
    if (length <= SMALL_BYTES) continue;
    if (Buffer.isBuffer(segment)) {
      yield segment;
      continue;
    }
    for (let start = segment.start; start < segment.end; start += PIECE_BYTES) {
      const piece = await spool.read(start, Math.min(segment.end, start + PIECE_BYTES), buffer);
      yield piece;
      buffer = spool.isOnDisk && piece.length === PIECE_BYTES ? piece : undefined; // a smaller one may still be on its way
    }
  }
  if (small.length > 0) yield Buffer.concat(small);
}

function lengthOf(segment: Segment): number {
  return Buffer.isBuffer(segment) ? segment.length : segment.end - segment.start;
}

// Forms are written from the parts that were read: a boundary of our own, the same headers for every part, nothing before
// the first part and nothing behind the last. Values stay where they lie.
/** Bytes, or a range of the body that was read. */
type Segment = Buffer | { start: number; end: number };

interface WrittenForm {
  contentType: string;
  segments: Segment[];
}

/** Nobody knows it before the form is sent, so that no value can hold it. */
const BOUNDARY_LETTERS = 32;
const UNNAMED_FILE = 'file';

function writeForm(parts: readonly FormPart[], { set = {}, remove = [] }: FormChanges): WrittenForm {
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
