// A reply inside another: hands everything on as it is. Replies that watch or delay an answer extend it, and override only
// what they change.
import type { ClientReply } from './call.ts';

export class ForwardingReply<Inner extends ClientReply = ClientReply> implements ClientReply {
  protected readonly inner: Inner;

  constructor(inner: Inner) {
    this.inner = inner;
  }

  get begun(): boolean {
    return this.inner.begun;
  }

  get gone(): boolean {
    return this.inner.gone;
  }

  setHeader(name: string, value: string | undefined): void {
    this.inner.setHeader(name, value);
  }

  sendWhole(status: number, headers: Record<string, string>, body: Buffer): void {
    this.inner.sendWhole(status, headers, body);
  }

  beginStream(contentType?: string): void {
    this.inner.beginStream(contentType);
  }

  write(bytes: Buffer): boolean {
    return this.inner.write(bytes);
  }

  onDrain(listener: () => void): void {
    this.inner.onDrain(listener);
  }

  end(bytes: Buffer | undefined): void {
    this.inner.end(bytes);
  }

  forgo(): void {
    this.inner.forgo();
  }

  breakOff(): void {
    this.inner.breakOff();
  }

  onGone(listener: () => void): void {
    this.inner.onGone(listener);
  }
}
