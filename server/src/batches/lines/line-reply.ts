// The client's side of a line: nobody waits for it, and it never leaves. The answer is taken before it is charged.
import type { BodyReply } from '../../relay/call.ts';

export class LineReply implements BodyReply {
  readonly begun = false;
  readonly gone = false;

  setHeader(): void {}
  sendWhole(): void {}
  beginStream(): void {}
  beginBody(): void {}
  write(): boolean {
    return true;
  }
  onDrain(listener: () => void): void {
    listener();
  }
  end(): void {}
  forgo(): void {}
  breakOff(): void {}
  onGone(): void {}
}
