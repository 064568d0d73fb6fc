// Reads HTTP/1.1 answers from pieces that may be cut anywhere, step by step, so that the caller of the next step may
// stop between any two. It keeps nothing of a piece but a head that is not whole yet.
import { errors } from '../../shared/runtime/undici.ts';
import { type AnswerHead, AnswerError, CHUNKED, readFields, readHead, UNTIL_CLOSE } from './answer-head.ts';

/** What was read: a head, a part of the body, the end of the answer, or all that there is so far. */
export type Step = 'head' | 'body' | 'end' | 'more';

type State = 'head' | 'bytes' | 'size' | 'extension' | 'size-end' | 'chunk' | 'chunk-return' | 'chunk-end' | 'trailers';

/** Of all heads of an answer together, interim ones too, and then of its trailers. */
const HEAD_BYTES = 16_384;
const MOST_INTERIM = 128;
/** Of the line with the size of a chunk. */
const SIZE_LINE_BYTES = 1_024;
const BEGINNING = Buffer.from('HTTP/1.');
const HEAD_END = Buffer.from('\r\n\r\n');
const [TAB, LINE_FEED, RETURN, SPACE, SEMICOLON] = [0x09, 0x0a, 0x0d, 0x20, 0x3b] as const;

export class AnswerParser {
  /** How far the piece is read; to be set for each piece. */
  at = 0;
  /** Where in the piece the part of the body is, after the step `body`. */
  bodyStart = 0;
  bodyEnd = 0;
  /** Of the answer; there after the step `head`. */
  head: AnswerHead | undefined;
  #state: State = 'head';
  /** Bytes to come: of the body, or of the chunk. */
  #left = 0;
  #sizeLineBytes = 0;
  /** What may still be read of heads. */
  #headBytes = HEAD_BYTES;
  #interim = 0;
  /** A head or trailers of which the end has not come. */
  #partial: Buffer | undefined;
  #filled = 0;

  /** Before each answer. */
  begin(): void {
    this.head = undefined;
    this.#state = 'head';
    this.#headBytes = HEAD_BYTES;
    this.#interim = 0;
    this.#partial = undefined;
  }

  /** Reads on in the piece, up to `end`. After the step `end` nothing may be asked before `begin`. */
  next(piece: Buffer, end: number): Step {
    for (;;) {
      switch (this.#state) {
        case 'head':
          if (!this.#readHead(piece, end)) return 'more';
          if (this.head !== undefined) return 'head';
          break;
        case 'bytes':
          return this.#left === 0 ? 'end' : this.#readBody(piece, end);
        case 'chunk':
          if (this.#left > 0) return this.#readBody(piece, end);
          this.#state = 'chunk-return';
          break;
        case 'trailers':
          return this.#readTrailers(piece, end) ? 'end' : 'more';
        default:
          if (this.at === end) return 'more';
          this.#readBetweenChunks(piece, end);
      }
    }
  }

  /** The other side has closed the connection: undefined where that is how the answer ends. */
  finish(): Error | undefined {
    const { head } = this;
    if (head === undefined || !head.isLast) return new errors.SocketError('other side closed');
    if (head.length === UNTIL_CLOSE) return undefined;
    if (head.length === CHUNKED) return new AnswerError('HPE_INVALID_EOF_STATE', 'closed before the last chunk');
    return new errors.ResponseContentLengthMismatchError();
  }

  /** Whether a head was read to its end. An interim one leaves `head` undefined. */
  #readHead(piece: Buffer, end: number): boolean {
    const text = this.#readToEmptyLine(piece, end);
    if (text === undefined) return false;
    const head = readHead(text);
    if (head.status < 200) {
      this.#passOver(head.status);
      return true;
    }
    this.head = head;
    this.#state = head.length === CHUNKED ? 'size' : 'bytes';
    this.#left = head.length === CHUNKED ? 0 : head.length;
    this.#sizeLineBytes = 0;
    return true;
  }

  /** Nobody asks to continue or to change the protocol: who answers so has not understood the request. */
  #passOver(status: number): void {
    if (status === 100 || status === 101) throw new errors.SocketError('bad response');
    this.#interim++;
    if (this.#interim > MOST_INTERIM) throw new errors.HeadersOverflowError('too many interim answers');
  }

  #readBody(piece: Buffer, end: number): Step {
    if (this.at === end) return 'more';
    const length = Math.min(this.#left, end - this.at);
    this.bodyStart = this.at;
    this.at += length;
    this.bodyEnd = this.at;
    this.#left -= length;
    return 'body';
  }

  #readBetweenChunks(piece: Buffer, end: number): void {
    switch (this.#state) {
      case 'size':
        this.#readSize(piece, end);
        break;
      case 'extension':
        this.#readExtension(piece, end);
        break;
      case 'size-end':
        this.#take(piece, LINE_FEED);
        this.#sizeLineBytes = 0;
        if (this.#left > 0) this.#state = 'chunk';
        else this.#beginTrailers();
        break;
      case 'chunk-return':
        this.#take(piece, RETURN);
        this.#state = 'chunk-end';
        break;
      default:
        this.#take(piece, LINE_FEED);
        this.#state = 'size';
    }
  }

  #readSize(piece: Buffer, end: number): void {
    while (this.at < end) {
      const byte = piece[this.at++] as number;
      const digit = hexDigit(byte);
      if (digit === -1) {
        if (this.#sizeLineBytes === 0 || (byte !== RETURN && byte !== SEMICOLON)) throw badChunk();
        this.#state = byte === RETURN ? 'size-end' : 'extension';
        return;
      }
      this.#left = this.#left * 16 + digit;
      this.#countSizeLine();
      if (this.#left > Number.MAX_SAFE_INTEGER) throw badChunk();
    }
  }

  #readExtension(piece: Buffer, end: number): void {
    while (this.at < end) {
      const byte = piece[this.at++] as number;
      if (byte === RETURN) {
        this.#state = 'size-end';
        return;
      }
      if (isStray(byte)) throw badChunk();
      this.#countSizeLine();
    }
  }

  #countSizeLine(): void {
    this.#sizeLineBytes++;
    if (this.#sizeLineBytes > SIZE_LINE_BYTES) throw badChunk();
  }

  #take(piece: Buffer, wanted: number): void {
    if (piece[this.at++] !== wanted) throw badChunk();
  }

  #beginTrailers(): void {
    this.#state = 'trailers';
    this.#headBytes = HEAD_BYTES;
  }

  /** Trailers are read and forgotten. */
  #readTrailers(piece: Buffer, end: number): boolean {
    if (this.at === end) return false;
    if (this.#partial === undefined && this.at + 1 < end && piece[this.at] === RETURN) {
      this.at++;
      this.#take(piece, LINE_FEED);
      return true;
    }
    // The empty line ends them, also where it is the first: behind the line of the last chunk, as it were.
    if (this.#partial === undefined) this.#beginPartial('\r\n');
    const text = this.#readPartial(piece, end);
    if (text !== undefined) readFields(text, 2);
    return text !== undefined;
  }

  /** The text up to there, once the whole of it has come. */
  #readToEmptyLine(piece: Buffer, end: number): string | undefined {
    if (this.#partial !== undefined) return this.#readPartial(piece, end);
    const { at } = this;
    if (at === end) return undefined;
    const found = piece.indexOf(HEAD_END, at);
    if (found === -1 || found + HEAD_END.length > end) {
      this.#beginPartial('');
      return this.#readPartial(piece, end);
    }
    this.at = found + HEAD_END.length;
    this.#headBytes -= this.at - at;
    if (this.#headBytes < 0) throw new errors.HeadersOverflowError();
    return piece.toString('latin1', at, this.at);
  }

  #beginPartial(text: string): void {
    this.#partial = Buffer.allocUnsafeSlow(this.#headBytes + text.length);
    this.#filled = this.#partial.write(text, 'latin1');
  }

  /** Byte by byte, so that what can be no head is refused before its end, which may never come. */
  #readPartial(piece: Buffer, end: number): string | undefined {
    const partial = this.#partial as Buffer;
    while (this.at < end) {
      const byte = piece[this.at++] as number;
      const filled = this.#filled;
      if (filled === partial.length) throw new errors.HeadersOverflowError();
      const isWrongStart = this.#state === 'head' && filled < BEGINNING.length && byte !== BEGINNING[filled];
      if (isWrongStart) throw new AnswerError('HPE_INVALID_CONSTANT', 'not the status line of an answer');
      const isHalf = (byte === LINE_FEED) !== (partial[filled - 1] === RETURN); // of a line's end
      if (isHalf || (isStray(byte) && byte !== RETURN && byte !== LINE_FEED))
        throw new AnswerError('HPE_INVALID_HEADER_TOKEN', 'a character that no header may have');
      partial[filled] = byte;
      this.#filled = filled + 1;
      if (byte !== LINE_FEED || partial[filled - 2] !== LINE_FEED) continue;
      this.#headBytes -= this.#filled;
      this.#partial = undefined;
      return partial.toString('latin1', 0, this.#filled);
    }
    return undefined;
  }
}

function badChunk(): AnswerError {
  return new AnswerError('HPE_INVALID_CHUNK_SIZE', 'a chunk that is none');
}

/** Of the characters of a line, those that none may have, and the two of its end. */
function isStray(byte: number): boolean {
  return (byte < SPACE && byte !== TAB) || byte === 0x7f;
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}
