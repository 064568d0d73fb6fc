// What the load generator can be asked to do and what it answers; both cross the process boundary as messages.
// Every request that was started is either counted as done or named among the failures.
import type { StreamShape, Target } from '../wire/chat-request.ts';

export type LoadJob =
  /** Closed loop: each connection sends its next request when it has the whole answer to the last. */
  | { kind: 'loop'; target: Target; bodyBytes: number; connections: number; seconds: number }
  /** A fixed count over one connection, each answer timed, after a few untimed ones. */
  | { kind: 'timed'; target: Target; bodyBytes: number; count: number }
  /** Closed loop of streamed answers. */
  | { kind: 'streams'; target: Target; shape: StreamShape; connections: number; seconds: number }
  /** One stream per connection, all open at once; `open` is sent when every one of them has begun. */
  | { kind: 'open'; target: Target; shape: StreamShape; connections: number };

export interface LoadResult {
  requests: number;
  chunks: number;
  seconds: number;
  /** Time of each answer in microseconds; only for timed jobs. */
  times: number[];
  failures: Record<string, number>;
}

export type LoadMessage = { type: 'ready' } | { type: 'open' } | { type: 'done'; result: LoadResult };
