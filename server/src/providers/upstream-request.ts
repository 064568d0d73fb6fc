// One HTTP call to an upstream as its callers describe it, and who gets its events.
import type { SecretMask } from '../shared/secret-mask.ts';
import type { UpstreamError } from './upstream-error.ts';

export interface UpstreamRequest {
  origin: string;
  path: string;
  method: 'GET' | 'POST' | 'DELETE';
  headers: Record<string, string>;
  /** Something stored is opened again for each call; a piece of it is good until the next one is asked for. */
  body: Buffer | { length: number; open(): AsyncIterable<Buffer> | readonly Buffer[] } | null;
  limits: CallLimits;
  /** Of the channel; the environment's where it is absent. */
  proxy?: string | undefined;
  /** What must not be seen in the answer. */
  mask?: SecretMask | undefined;
  /** The same with another token, where this one was refused with 401 and another can be had. Tried once. */
  renew?(): UpstreamRequest | Promise<UpstreamRequest> | undefined;
}

export interface CallLimits {
  connectMs: number;
  /** From sending to the head of the answer. */
  firstByteMs: number;
  /** Silence inside the answer. */
  idleMs: number;
}

export type UpstreamHeaders = Record<string, string | string[] | undefined>;

export interface UpstreamSink {
  onStart(status: number, headers: UpstreamHeaders): void;
  onData(chunk: Buffer): void;
  onEnd(): void;
  /** At most once, and never after onEnd. */
  onFail(error: UpstreamError): void;
}
