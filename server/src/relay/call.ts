// What the door hands to the relay: one authenticated request, and the way back to its client.
import type { Principal } from '../access/principal.ts';
import type { TextProtocol } from '../protocols/protocol.ts';

export interface RelayCall {
  requestId: string;
  /** The public path, as the request log names it. */
  endpoint: string;
  principal: Principal;
  protocol: TextProtocol;
  body: Buffer;
  reply: ClientReply;
  /** performance.now() when the request arrived. */
  startedAt: number;
}

/** The client's side of the answer. All writing respects the client's pace. */
export interface ClientReply {
  sendWhole(status: number, headers: Record<string, string>, body: Buffer): void;
  /** Sends the head of an event stream; later calls do nothing. */
  beginStream(): void;
  readonly begun: boolean;
  /** False when the client cannot take more for now; `onDrain` tells when it can. */
  write(bytes: Buffer): boolean;
  onDrain(listener: () => void): void;
  end(bytes: Buffer | undefined): void;
  /** The client closed the connection before the answer was complete. */
  readonly gone: boolean;
  onGone(listener: () => void): void;
}
