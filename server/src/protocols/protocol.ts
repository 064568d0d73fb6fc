// The contract every text protocol fulfils, so that the relay can carry requests of any of them without naming one.
import type { TokenUsage } from '../neutral/usage.ts';

/** What the relay must know of a request; the bytes themselves stay with the protocol that read them. */
export interface TextRequest {
  model: string;
  stream: boolean;
  maxOutputTokens: number | undefined;
  /** How many alternatives are asked for; each may use the whole output. */
  choices: number;
  /** Bytes that are text, and pieces that are embedded media: what an estimate goes by. */
  inputBytes: number;
  mediaCount: number;
}

export interface RequestTarget {
  upstreamModel: string;
  dropFields: readonly string[];
}

export interface WholeAnswer {
  usage: TokenUsage | undefined;
  /** An answer of success that carries an error instead of a result. */
  hasError: boolean;
  /** Bytes of what was generated, roughly, for when nobody tells the usage. */
  outputBytes: number;
}

export interface UpstreamComplaint {
  message: string | undefined;
  code: string | undefined;
  param: string | undefined;
}

/** Follows one stream of an upstream of the same protocol: bytes in, whole events out. */
export interface StreamReader {
  /** Whole events for the client, unchanged; undefined while none is complete. Throws StreamError on what is not the protocol. */
  push(chunk: Buffer): Buffer | undefined;
  /** An event that is not a comment has come. */
  readonly started: boolean;
  /** The protocol's end marker has come; it is held back, so that money is settled before the client sees it. */
  readonly ended: boolean;
  /** Call when the upstream's answer is over without an end marker: was everything said? */
  isComplete(): boolean;
  readonly usage: TokenUsage | undefined;
  /** Pieces of output so far, for when nobody tells the usage. */
  readonly outputPieces: number;
  /** The upstream reported an error inside the stream. */
  readonly complaint: UpstreamComplaint | undefined;
}

export class StreamError extends Error {
  override name = 'StreamError';
}

export interface TextProtocol<R extends TextRequest = TextRequest> {
  name: string;
  /** Throws a GatewayError that names the field. */
  readRequest(body: Buffer): R;
  /** The request for an upstream of the same protocol: only what the gateway owns is changed. */
  writeRequest(request: R, target: RequestTarget): Buffer;
  /** undefined when the bytes are not an answer of this protocol. */
  readAnswer(body: Buffer): WholeAnswer | undefined;
  readStream(request: R): StreamReader;
  /** What an upstream of this protocol says in an error answer. */
  readComplaint(body: Buffer): UpstreamComplaint;
  /** Ends a good stream; empty where the protocol has no marker. */
  endMarker: Buffer;
  /** Ends a broken stream. */
  errorEvent(error: { message: string; type: string; param: string | null; code: string }): Buffer;
}
