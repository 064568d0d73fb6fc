// Gathers an answer that is not streamed: a whole result, or the body of an error. Can hand the bytes over to a stream
// once the head shows that one is coming.
import type { UpstreamComplaint } from '../protocols/protocol.ts';
import type { UpstreamCall } from './call-upstream.ts';
import type { UpstreamHeaders, UpstreamSink } from './upstream-request.ts';
import { refusalError, type RefusalRule } from './refusals.ts';
import { classOfStatus, readRetryAfter, UpstreamError } from './upstream-error.ts';

export interface WholeResult {
  status: number;
  contentType: string;
  body: Buffer;
}

/** A sink that knows what kind of bytes are coming. */
export interface PassedOn extends UpstreamSink {
  contentType: string;
  call: UpstreamCall | undefined;
}

export interface CollectSettings {
  readComplaint(body: Buffer, status: number): UpstreamComplaint;
  /** Whom a refusal is about, as its provider declares it. */
  refusals?: readonly RefusalRule[] | undefined;
  /** Statuses that mean another, as its provider declares it. */
  statuses?: Readonly<Record<number, number>> | undefined;
  /** Takes the bytes when they are to be passed on as they come. */
  stream: PassedOn | undefined;
  /** How the content type of what is passed on must begin. */
  expects: string;
  /** Called when something else comes, which is then gathered; without it, something else is malformed. */
  onWhole?: (() => void) | undefined;
  resolve(result: WholeResult): void;
  reject(error: UpstreamError): void;
}

/** An error or a proxy's page that calls itself a success. */
const WORDS = /^(?:text\/html|application\/(?:[^;]*\+)?json)\b/i;
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
const MAX_ERROR_BYTES = 64 * 1024;
const SMALL_BYTES = 1024;
const MOST_SMALL = 64;

export class CollectedAnswer implements UpstreamSink {
  #call: UpstreamCall | undefined;
  readonly #settings: CollectSettings;
  #status = 0;
  #headers: UpstreamHeaders = {};
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  #smallInRow = 0;
  #stream: PassedOn | undefined;

  constructor(settings: CollectSettings) {
    this.#settings = settings;
  }

  /** Under way from now on. */
  set call(call: UpstreamCall) {
    this.#call = call;
    if (this.#settings.stream !== undefined) this.#settings.stream.call = call;
  }

  onStart(status: number, headers: UpstreamHeaders): void {
    this.#status = status;
    this.#headers = headers;
    const encoding = headers['content-encoding'];
    if (encoding !== undefined && encoding !== 'identity')
      return this.#giveUp('the answer is compressed, which was not asked for');
    const { stream, expects, onWhole } = this.#settings;
    if (stream === undefined || classOfStatus(status) !== undefined) return;
    const type = contentType(headers);
    if (!type.toLowerCase().startsWith(expects)) {
      if (onWhole !== undefined && type !== '') return onWhole();
      return this.#giveUp('an event stream was asked for and something else came');
    }
    if (expects === '' && WORDS.test(type)) return this.#giveUp('media was asked for and words came');
    this.#stream = stream;
    this.#stream.contentType = type;
  }

  onData(chunk: Buffer): void {
    if (this.#stream !== undefined) return this.#stream.onData(chunk);
    this.#bytes += chunk.length;
    const failed = classOfStatus(this.#status) !== undefined;
    if (this.#bytes <= (failed ? MAX_ERROR_BYTES : MAX_ANSWER_BYTES)) this.#keep(chunk);
    else if (!failed) this.#giveUp('the answer is too large');
  }

  /** An answer that trickles becomes one piece now and then: many small ones take more memory than they hold. */
  #keep(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#smallInRow = chunk.length < SMALL_BYTES ? this.#smallInRow + 1 : 0;
    if (this.#smallInRow < MOST_SMALL) return;
    this.#chunks.push(Buffer.concat(this.#chunks.splice(-MOST_SMALL)));
    this.#smallInRow = 0;
  }

  onEnd(): void {
    if (this.#stream !== undefined) return this.#stream.onEnd();
    const [only] = this.#chunks;
    const body = this.#chunks.length === 1 && only !== undefined ? only : Buffer.concat(this.#chunks);
    if (classOfStatus(this.#status) === undefined) {
      this.#settings.resolve({ status: this.#status, contentType: contentType(this.#headers), body });
    } else {
      this.#settings.reject(this.#errorOf(body));
    }
  }

  onFail(error: UpstreamError): void {
    if (this.#stream === undefined) this.#settings.reject(error);
    else this.#stream.onFail(error);
  }

  #errorOf(body: Buffer): UpstreamError {
    const complaint = this.#settings.readComplaint(body, this.#status);
    const status = complaint.status ?? this.#settings.statuses?.[this.#status] ?? this.#status;
    return refusalError(
      `the upstream answered ${this.#status}`,
      { ...complaint, status },
      { rules: this.#settings.refusals, retryAfter: readRetryAfter(this.#headers['retry-after'], Date.now()) },
    );
  }

  #giveUp(reason: string): void {
    const error = new UpstreamError('malformed', reason);
    this.#settings.reject(error);
    this.#call?.abort(error);
  }
}

/** As the upstream spells it. */
function contentType(headers: UpstreamHeaders): string {
  const value = headers['content-type'];
  return (Array.isArray(value) ? value[0] : value) ?? '';
}
