// What the door hands to the relay: one authenticated request, and the way back to its client.
import type { Principal } from '../access/principal.ts';
import type { Protocol, RelayRequest } from '../protocols/protocol.ts';

export interface RelayCall {
  requestId: string;
  /** The public path, as the request log names it. */
  endpoint: string;
  principal: Principal;
  protocol: Protocol;
  /** The caller would rather be refused than lose a field in translation (`x-tollgate-strict`). */
  strict: boolean;
  /** Reads the request from the body that the client sent; throws what is wrong with it. */
  read(): RelayRequest | Promise<RelayRequest>;
  reply: ClientReply;
  /** performance.now() when the request arrived. */
  startedAt: number;
}

/** The client's side of the answer. All writing respects the client's pace. */
export interface ClientReply {
  /** For the head of the answer, as long as it has not been sent; undefined takes it back. */
  setHeader(name: string, value: string | undefined): void;
  sendWhole(status: number, headers: Record<string, string>, body: Buffer): void;
  /** Sends the head of an answer that comes in pieces, events unless another type is named; later calls do nothing. */
  beginStream(contentType?: string): void;
  readonly begun: boolean;
  /** False when the client cannot take more for now; `onDrain` tells when it can. */
  write(bytes: Buffer): boolean;
  onDrain(listener: () => void): void;
  end(bytes: Buffer | undefined): void;
  /** What has been sent, and what is sent from here on, is not paid for: nobody is to get it again. */
  forgo(): void;
  /** Closes the connection in the middle of the answer, which is all that a broken body can say. */
  breakOff(): void;
  /** The client closed the connection before the answer was complete. */
  readonly gone: boolean;
  onGone(listener: () => void): void;
}

/** A reply that can also begin an answer of any kind. */
export interface BodyReply extends ClientReply {
  /** Sends the head of a body that comes in pieces; later calls do nothing. */
  beginBody(status: number, headers: Record<string, string>): void;
}
