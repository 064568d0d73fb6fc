// Finds the parts of a form while its bytes pass by, however they are cut. Only line breaks of CR LF count; a boundary
// that another reader could take differently is refused.
import { invalidRequest } from '../../errors/gateway-error.ts';
import { type FormPart, PICTURE_FIELD } from '../../neutral/form.ts';
import { quoteStart } from './headers/header-parameters.ts';
import { type PartHeaders, readPartHeaders } from './headers/part-headers.ts';

export interface ScanLimits {
  maxParts: number;
  maxFieldBytes: number;
  maxHeaderBytes: number;
}

export type ScannedPart = FormPart & Pick<PartHeaders, 'alphabet'>;

const LINE_BREAK = Buffer.from('\r\n');
const EMPTY_LINE = Buffer.from('\r\n\r\n');
const CR = 0x0d;

export class FormScanner {
  readonly parts: ScannedPart[] = [];
  readonly #delimiter: Buffer;
  readonly #limits: ScanLimits;
  /** Bytes that may begin something; the first lies at #offset of the body. Before the body stands a line break. */
  #held: Buffer = LINE_BREAK;
  /** Where they lie, with the chunk that came last: no chunk is needed after it was read. */
  #buffer: Buffer = Buffer.alloc(0);
  #offset = -LINE_BREAK.length;
  #step: () => boolean = () => this.#findBoundary();
  #open: (PartHeaders & { valueStart: number }) | undefined;
  #read = 0;
  #ended = false;

  constructor(boundary: string, limits: ScanLimits) {
    this.#delimiter = Buffer.from(`\n--${boundary}`, 'latin1');
    this.#limits = limits;
  }

  push(chunk: Buffer): void {
    const held = this.#held;
    const length = held.length + chunk.length;
    if (length > this.#buffer.length) this.#buffer = Buffer.allocUnsafeSlow(Math.max(length, 2 * this.#buffer.length));
    held.copy(this.#buffer); // within the same buffer too
    chunk.copy(this.#buffer, held.length);
    this.#held = this.#buffer.subarray(0, length);
    while (this.#step());
  }

  /** Once all bytes have passed. */
  finish(): void {
    if (!this.#ended) throw invalidRequest('The form ends too early.');
  }

  /** In the preamble, in a value, or behind the last boundary. */
  #findBoundary(): boolean {
    const at = this.#held.indexOf(this.#delimiter);
    if (at === -1) {
      this.#drop(Math.max(0, this.#held.length - this.#delimiter.length)); // with one byte before a cut boundary
      this.#checkValue(this.#offset);
      return false;
    }
    if (this.#ended) throw invalidRequest('The form goes on behind its last boundary.');
    const valueEnd = this.#offset + at - 1;
    if (at === 0 || this.#held[at - 1] !== CR) throw badLineBreak();
    if (this.#open !== undefined) {
      if (valueEnd < this.#open.valueStart) throw invalidRequest('A part of the form has no value.');
      this.#checkValue(valueEnd);
      if (!isUnchosenFile(this.#open, valueEnd)) this.parts.push({ ...this.#open, valueEnd });
      this.#open = undefined;
    }
    this.#drop(at + this.#delimiter.length);
    this.#step = () => this.#readBoundaryEnd();
    return true;
  }

  #readBoundaryEnd(): boolean {
    if (this.#held.length < 2) return false;
    const ending = this.#held.toString('latin1', 0, 2);
    if (ending === '--') {
      this.#ended = true;
      this.#drop(2);
      this.#step = () => this.#findBoundary();
    } else if (ending === '\r\n') {
      this.#step = () => this.#readHeaders(); // the line break stays, for a part without headers
    } else {
      throw badLineBreak();
    }
    return true;
  }

  #readHeaders(): boolean {
    const { maxHeaderBytes, maxParts } = this.#limits;
    const at = this.#held.indexOf(EMPTY_LINE);
    if ((at === -1 ? this.#held.length - EMPTY_LINE.length + 1 : at) > maxHeaderBytes)
      throw invalidRequest(`The headers of a part of the form are larger than ${maxHeaderBytes} bytes.`);
    if (at === -1) return false;
    const headers = readPartHeaders(this.#held.subarray(LINE_BREAK.length, at + LINE_BREAK.length));
    if (++this.#read > maxParts)
      throw invalidRequest(
        `The form has more than ${maxParts} parts, the first too many being ${quoteStart(headers.name)}.`,
        headers.name,
      );
    this.#drop(at + LINE_BREAK.length); // what is left begins with the empty line, which may not also end the value
    this.#open = { ...headers, valueStart: this.#offset + LINE_BREAK.length };
    this.#step = () => this.#findBoundary();
    return true;
  }

  /** `end` is as far as the value is known to reach. */
  #checkValue(end: number): void {
    const { maxFieldBytes } = this.#limits;
    if (this.#open === undefined || this.#open.filename !== undefined) return;
    if (end - this.#open.valueStart <= maxFieldBytes) return;
    const { name } = this.#open;
    if (PICTURE_FIELD.test(name)) return;
    throw invalidRequest(`The field ${quoteStart(name)} is larger than ${maxFieldBytes} bytes.`, name);
  }

  #drop(bytes: number): void {
    this.#held = this.#held.subarray(bytes);
    this.#offset += bytes;
  }
}

/** What browsers send for a file that was not chosen. */
function isUnchosenFile({ filename, valueStart }: { filename: string | undefined; valueStart: number }, end: number) {
  return filename === '' && end === valueStart;
}

function badLineBreak(): Error {
  return invalidRequest('A boundary of the form does not stand on a line of its own, ended by CR LF.');
}
