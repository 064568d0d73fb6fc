// What the load generator can be asked to do and what it answers; both cross the process boundary as messages.
// Every request that was started is either counted as done or named among the failures.
import type { StreamShape, Target } from '../wire/chat-request.ts';

/** A chat with a body of about `bodyBytes`, or a form with a file of that size. */
export interface Sent {
  target: Target;
  bodyBytes: number;
  isForm?: boolean;
}

interface Streamed {
  target: Target;
  shape: StreamShape;
  connections: number;
}

export type LoadJob =
  /** Closed loop: each connection sends its next request when it has the whole answer to the last. */
  | ({ kind: 'loop'; connections: number; seconds: number } & Sent)
  /** Requests over one connection, each answer timed, after a few untimed ones: so many, or for so long. */
  | ({ kind: 'timed'; count: number; seconds: number } & Sent)
  /** Open loop: requests become due at a fixed rate whatever the answers do, and are timed from when they were due. */
  | ({ kind: 'paced'; rate: number; seconds: number } & Sent)
  /** Closed loop of streamed answers; timed is the first part of each. */
  | ({ kind: 'streams'; seconds: number } & Streamed)
  /** One stream per connection, all open at once; `open` is sent when every one of them has begun. */
  | ({ kind: 'open' } & Streamed)
  /** The same with clients that read little and seldom; they leave after so many seconds. */
  | ({ kind: 'slow'; seconds: number } & Streamed)
  /** Connections that ask once and stay; `open` is sent when all of them are there, then a `timed` job runs beside them. */
  | ({ kind: 'idle'; connections: number; count: number; seconds: number } & Sent);

export interface LoadResult {
  requests: number;
  chunks: number;
  seconds: number;
  /** Time of each answer, or of its first part, in microseconds; of the kinds that say so. */
  times: number[];
  /** Connections that were still open at the end, of the kinds that keep them. */
  kept: number;
  failures: Record<string, number>;
}

export type LoadMessage = { type: 'ready' } | { type: 'open' } | { type: 'done'; result: LoadResult };
