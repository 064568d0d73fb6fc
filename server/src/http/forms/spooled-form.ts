// A form whose bytes lie in a spool: hands out ranges of them, and bodies made of ranges and a few changed values.
import { invalidRequest } from '../../errors/gateway-error.ts';
import type { Form, FormBody, FormChanges, FormPart } from '../../neutral/form.ts';
import { LENT_FROM } from '../../shared/lent-bytes.ts';
import type { ScannedPart } from './form-scanner.ts';
import type { Spool } from './spool.ts';

const PIECE_BYTES = LENT_FROM;

export interface SpooledFormFacts {
  contentType: string;
  boundary: string;
  parts: readonly ScannedPart[];
  /** Offset of the last boundary. */
  end: number;
  maxFieldBytes: number;
  spool: Spool;
}

type Segment = Buffer | { start: number; end: number };

export class SpooledForm implements Form {
  readonly contentType: string;
  readonly parts: readonly FormPart[];
  readonly length: number;
  readonly #facts: SpooledFormFacts;

  constructor(facts: SpooledFormFacts) {
    this.#facts = facts;
    this.contentType = facts.contentType;
    this.parts = facts.parts;
    this.length = facts.spool.length;
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
    const segments = this.#segments(changes);
    const { spool } = this.#facts;
    return {
      length: segments.reduce((sum, segment) => sum + lengthOf(segment), 0),
      open: () => readSegments(spool, segments),
    };
  }

  #segments({ set = {}, remove = [] }: FormChanges): Segment[] {
    const { parts, end } = this.#facts;
    const values = new Map(Object.entries(set).map(([name, value]) => [name, this.#encode(name, value)]));
    const missing = new Map(values);
    const segments: Segment[] = [];
    let from = 0;
    for (const [index, { name, start, valueStart, valueEnd }] of parts.entries()) {
      const value = values.get(name);
      if (remove.includes(name)) {
        segments.push({ start: from, end: start });
        from = parts[index + 1]?.start ?? end;
      } else if (value !== undefined) {
        segments.push({ start: from, end: valueStart }, value);
        from = valueEnd;
        missing.delete(name);
      }
    }
    segments.push({ start: from, end });
    for (const [name, value] of missing) segments.push(this.#headOf(name), value, Buffer.from('\r\n'));
    segments.push({ start: end, end: this.length });
    return segments.filter((segment) => lengthOf(segment) > 0);
  }

  #headOf(name: string): Buffer {
    const escaped = name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
    return Buffer.from(`--${this.#facts.boundary}\r\nContent-Disposition: form-data; name="${escaped}"\r\n\r\n`);
  }

  #encode(name: string, value: string): Buffer {
    if (`\n${value}`.includes(`\n--${this.#facts.boundary}`))
      throw invalidRequest(`The boundary of the form occurs in the new value of "${name}".`, name);
    return Buffer.from(value);
  }
}

/** A whole piece is good until the next one is asked for: its room is filled again then. */
async function* readSegments(spool: Spool, segments: readonly Segment[]): AsyncGenerator<Buffer> {
  let room: Buffer | undefined;
  for (const segment of segments) {
    if (Buffer.isBuffer(segment)) {
      yield segment;
      continue;
    }
    for (let start = segment.start; start < segment.end; start += PIECE_BYTES) {
      const piece = await spool.read(start, Math.min(segment.end, start + PIECE_BYTES), room);
      yield piece;
      room = spool.isOnDisk && piece.length === PIECE_BYTES ? piece : undefined; // a smaller one may still be on its way
    }
  }
}

function lengthOf(segment: Segment): number {
  return Buffer.isBuffer(segment) ? segment.length : segment.end - segment.start;
}
