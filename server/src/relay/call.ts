// What an endpoint hands to the relay: one authenticated request, the client's side of its answer, and, where the upstream
// keeps something of it, its affinity and its settlement.
import type { Principal } from '../access/principal.ts';
import type { Protocol, RelayRequest } from '../protocols/protocol.ts';
import type { Affinity, ChannelKeyId } from '../routing/affinity.ts';
import type { RequestRow } from '../store/ledger/operations.ts';

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
  /** It is a line of a batch, and has the price of one. */
  isBatch?: boolean;
  /** The price that its hold was made at, where that was before; else the one in force. */
  agreed?: string | undefined;
  /** A whole answer is there, and is about to be charged. */
  onAnswer?(answer: { status: number; body: Buffer }): void;
  /** performance.now() when the request arrived. */
  startedAt: number;
  /** The channel key that the request must go to, if one, and the one it was sent to; undefined where neither matters. */
  affinity?: Affinity;
  /** Asked before the hold ends; undefined where the hold always ends with the answer. */
  settlement?: Settlement;
}

export type { Affinity, ChannelKeyId };

/** Decides whether the hold of a call stays open after its answer. */
export interface Settlement {
  /** True: what is needed to settle later is durable, and nothing is to be ended now. */
  defer(end: CallEnd): Promise<boolean>;
}

/** What is known of a call when its money is due. */
export interface CallEnd {
  kind: 'settle' | 'release';
  /** Its line in the request log. */
  row: RequestRow;
  /** The request as it was held for. */
  request: RelayRequest;
  /** The channel key that was asked last. */
  channelKey: ChannelKeyId | undefined;
  /** The body of a whole answer. */
  answer: Buffer | undefined;
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
