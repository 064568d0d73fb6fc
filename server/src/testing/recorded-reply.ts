// For tests: a client's side of an answer that writes down what is sent to it.
import type { BodyReply } from '../relay/call.ts';

export class RecordedReply implements BodyReply {
  begun = false;
  gone = false;
  isBroken = false;
  isForgone = false;
  status: number | undefined;
  readonly headers: Record<string, string> = {};
  readonly pieces: string[] = [];
  /** The stream ended as it should. */
  isEnded = false;
  readonly #onGone: (() => void)[] = [];

  get text(): string {
    return this.pieces.join('');
  }

  setHeader(name: string, value: string | undefined): void {
    if (value === undefined) delete this.headers[name];
    else this.headers[name] = value;
  }

  sendWhole(status: number, headers: Record<string, string>, body: Buffer): void {
    this.status = status;
    Object.assign(this.headers, headers);
    this.pieces.push(body.toString());
  }

  beginStream(contentType = 'text/event-stream'): void {
    this.beginBody(200, { 'content-type': contentType });
  }

  beginBody(status: number, headers: Record<string, string>): void {
    if (this.begun) return;
    this.begun = true;
    this.status = status;
    Object.assign(this.headers, headers);
  }

  write(bytes: Buffer): boolean {
    this.pieces.push(bytes.toString());
    return true;
  }

  onDrain(listener: () => void): void {
    setImmediate(listener);
  }

  end(bytes: Buffer | undefined): void {
    if (bytes !== undefined) this.pieces.push(bytes.toString());
    this.isEnded = true;
  }

  forgo(): void {
    this.isForgone = true;
  }

  breakOff(): void {
    this.isBroken = true;
  }

  onGone(listener: () => void): void {
    this.#onGone.push(listener);
  }

  /** The client closes its connection. */
  leave(): void {
    this.gone = true;
    for (const listener of this.#onGone) listener();
  }
}
