// Reads the head of a request if it is a plain one: a POST with a small JSON body, each header once, nothing that changes
// how the message is framed. Everything else is for node:http, so this may be strict where that has to be lenient.
import type { IncomingHttpHeaders } from 'node:http';
import { isHost } from '../head-rules.ts';

export interface PlainHead {
  readonly url: string;
  readonly headers: Readonly<IncomingHttpHeaders>;
  readonly bodyBytes: number;
}

/** Bytes before the empty line. */
export const MOST_HEAD = 8_192;
const MOST_HEADERS = 64;

const REQUEST_LINE = /^POST (\/[\x21\x24-\x7e]*) HTTP\/1\.1\r\n/;
/** Nothing in it can match in two ways, which would take time without bound; blanks around a value are cut off later. */
const HEADER_LINE = /([\w!#$%&'*+.^`|~-]+):([\t\x20-\x7e]*)\r\n/y;
const LENGTH = /^(?:0|[1-9]\d{0,8})$/;
const LENGTH_LINE = /\r\ncontent-length:[\t ]*/i;
const JSON_TYPE = /^application\/json[\t ]*(?:;|$)/i;
/** Say how the message or the connection goes on, in ways that take more than reading its length. */
const NOT_PLAIN = new Set([
  '__proto__',
  'content-encoding',
  'expect',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** A head, and the words around its length. */
interface LastHead {
  head: PlainHead;
  before: string;
  after: string;
}

/** Reads the heads of one connection. Clients repeat theirs, mostly with another length, so the last one is remembered. */
export class HeadReader {
  #last: LastHead | undefined;

  /** `text` is the head up to and with the end of its last line, each byte one character. Undefined: not a plain one. */
  read(text: string): PlainHead | undefined {
    const again = this.#last && readAgain(this.#last, text);
    if (again !== undefined) return again;
    const head = readPlainHead(text);
    this.#last = head && splitAtLength(head, text);
    return head;
  }

  forget(): void {
    this.#last = undefined;
  }
}

/** Undefined where more than the length is another. */
function readAgain({ head, before, after }: LastHead, text: string): PlainHead | undefined {
  if (!text.startsWith(before) || !text.endsWith(after)) return undefined;
  const length = text.slice(before.length, text.length - after.length);
  if (length === head.headers['content-length']) return head;
  if (!LENGTH.test(length)) return undefined;
  return { url: head.url, headers: { ...head.headers, 'content-length': length }, bodyBytes: Number(length) };
}

function splitAtLength(head: PlainHead, text: string): LastHead | undefined {
  const line = LENGTH_LINE.exec(text);
  if (line === null) return undefined;
  const start = line.index + line[0].length;
  const end = start + (head.headers['content-length'] ?? '').length;
  return { head, before: text.slice(0, start), after: text.slice(end) };
}

export function readPlainHead(text: string): PlainHead | undefined {
  const url = REQUEST_LINE.exec(text)?.[1];
  if (url === undefined) return undefined;
  const headers: IncomingHttpHeaders = {};
  let at = url.length + 'POST  HTTP/1.1\r\n'.length;
  for (let count = 0; at < text.length; count++) {
    HEADER_LINE.lastIndex = at;
    const line = HEADER_LINE.exec(text);
    if (line === null || count === MOST_HEADERS) return undefined;
    at = HEADER_LINE.lastIndex;
    const [, mixed = '', padded = ''] = line;
    const name = mixed.toLowerCase();
    if (headers[name] !== undefined || NOT_PLAIN.has(name)) return undefined;
    headers[name] = padded.trim();
  }
  const { host, connection, 'content-length': length, 'content-type': type } = headers;
  if (host === undefined || !isHost(host) || length === undefined || !LENGTH.test(length)) return undefined;
  if (type === undefined || !JSON_TYPE.test(type)) return undefined;
  if (connection !== undefined && connection.toLowerCase() !== 'keep-alive') return undefined;
  return { url, headers, bodyBytes: Number(length) };
}
