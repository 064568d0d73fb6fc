// The head of an HTTP/1.1 answer, read strictly: status line, headers, and what they say of the body. What could be read
// in two ways is refused, because the next answer on the connection would begin where one reader thinks it does.
import { HEADER_NAME } from '../../shared/header-text.ts';

export type AnswerHeaders = Record<string, string | string[] | undefined>;

export interface AnswerHead {
  status: number;
  headers: AnswerHeaders;
  /** Bytes of the body, or one of the two below. */
  length: number;
  /** No other answer follows on the connection. */
  isLast: boolean;
}

export const CHUNKED = -1;
export const UNTIL_CLOSE = Number.POSITIVE_INFINITY;

/** An answer that is not HTTP/1.1; its code makes it malformed, as those of the client library's parser are. */
export class AnswerError extends Error {
  readonly code: string;

  constructor(code: `HPE_${string}`, message: string) {
    super(message);
    this.name = 'AnswerError';
    this.code = code;
  }
}

const STATUS_LINE = /^HTTP\/1\.[01] [1-9]\d\d[ \r]/;
/** Control characters, and halves of a line's end. */
const STRAY = /[^\t\r\n\x20-\x7e\x80-\xff]|\r(?!\n)|(?<!\r)\n/;
const DIGITS = /^\d+$/;
const CLOSE = /(?:^|,)[\t ]*close[\t ]*(?:,|$)/i;
const NAMES_KEPT = 256;
const LONGEST_KEPT = 40;

/** Names as they came -> lower case, for those seen first. */
const names = new Map<string, string>();

/** Has no names of its own, as `Object.create(null)`, but costs no more than any other object. */
class Fields {
  [name: string]: string | string[] | undefined;
}
Object.setPrototypeOf(Fields.prototype, null);
delete (Fields.prototype as { constructor?: unknown }).constructor;

/** Takes all of a head, with the empty line at its end. */
export function readHead(text: string): AnswerHead {
  if (!STATUS_LINE.test(text)) throw new AnswerError('HPE_INVALID_CONSTANT', 'not the status line of an answer');
  const status = Number(text.slice(9, 12));
  const headers = readFields(text, text.indexOf('\r\n') + 2);
  const length = lengthOf(headers);
  const hasNone = status === 204 || status === 304;
  const isLast = length === UNTIL_CLOSE ? !hasNone : hasNone && length !== 0;
  return {
    status,
    headers,
    length: hasNone ? 0 : length,
    isLast: isLast || text.charCodeAt(7) === 0x30 || saysClose(headers['connection']),
  };
}

/** The fields from there to the empty line at the end. */
export function readFields(text: string, start: number): AnswerHeaders {
  if (STRAY.test(text)) throw new AnswerError('HPE_INVALID_HEADER_TOKEN', 'a character that no header may have');
  const headers: AnswerHeaders = new Fields();
  const last = text.length - 2;
  let at = start;
  while (at < last) {
    const end = text.indexOf('\r\n', at);
    const colon = text.indexOf(':', at);
    if (colon === -1 || colon > end) throw new AnswerError('HPE_INVALID_HEADER_TOKEN', 'a header without a colon');
    addField(headers, nameOf(text.slice(at, colon)), valueOf(text, colon + 1, end));
    at = end + 2;
  }
  return headers;
}

/** Anything but a token is refused: a folded line, which begins with a blank, and a blank before the colon as well. */
function nameOf(given: string): string {
  const known = names.get(given);
  if (known !== undefined) return known;
  if (!HEADER_NAME.test(given)) throw new AnswerError('HPE_INVALID_HEADER_TOKEN', 'a name that no header may have');
  if (names.size === NAMES_KEPT || given.length > LONGEST_KEPT) return given.toLowerCase();
  const own = Buffer.from(given, 'latin1').toString('latin1'); // a part would keep the memory of its whole
  const name = own.toLowerCase();
  names.set(own, name);
  return name;
}

function valueOf(text: string, start: number, end: number): string {
  let [from, to] = [start, end];
  while (from < to && isBlank(text.charCodeAt(from))) from++;
  while (to > from && isBlank(text.charCodeAt(to - 1))) to--;
  return text.slice(from, to);
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

function addField(headers: AnswerHeaders, name: string, value: string): void {
  const before = headers[name];
  if (before === undefined) headers[name] = value;
  else if (typeof before === 'string') headers[name] = [before, value];
  else before.push(value);
}

function lengthOf(headers: AnswerHeaders): number {
  const coding = headers['transfer-encoding'];
  const reported = headers['content-length'];
  if (coding !== undefined) {
    if (typeof coding !== 'string' || coding.toLowerCase() !== 'chunked')
      throw new AnswerError('HPE_INVALID_TRANSFER_ENCODING', 'a transfer coding that was not asked for');
    if (reported !== undefined) throw new AnswerError('HPE_UNEXPECTED_CONTENT_LENGTH', 'a length, and chunks as well');
    return CHUNKED;
  }
  if (reported === undefined) return UNTIL_CLOSE;
  const length = typeof reported === 'string' && DIGITS.test(reported) ? Number(reported) : Number.NaN;
  if (!Number.isSafeInteger(length)) throw new AnswerError('HPE_INVALID_CONTENT_LENGTH', 'a length that is none');
  return length;
}

function saysClose(connection: string | string[] | undefined): boolean {
  if (connection === undefined || connection === 'keep-alive') return false;
  return CLOSE.test(String(connection));
}
