// Where each attempt lies in the time of its request. Requests that were answered by the first channel keep no start of it: it is
// what is left of the time to the first byte.
import type { LoggedRequest } from '#contract/requests.ts';

type Attempt = LoggedRequest['attempts'][number];

export interface Lane {
  attempt: Attempt;
  /** All in milliseconds after the request arrived. */
  start: number;
  /** undefined: none came, or it is not known. */
  firstByte: number | undefined;
  end: number;
}

export interface Waterfall {
  lanes: Lane[];
  /** Of the whole request. */
  total: number;
}

export function waterfallOf({ attempts, first_byte_ms, total_ms }: LoggedRequest): Waterfall {
  const lanes: Lane[] = [];
  let after = 0;
  for (const [index, attempt] of attempts.entries()) {
    const isLast = index === attempts.length - 1;
    const hasAnswered = isLast && first_byte_ms !== null;
    const start = attempt.at ?? (hasAnswered ? Math.max(after, first_byte_ms - attempt.ms) : after);
    const end = hasAnswered ? Math.max(total_ms, start) : start + attempt.ms;
    lanes.push({ attempt, start, firstByte: hasAnswered ? Math.max(first_byte_ms, start) : undefined, end });
    after = end;
  }
  return { lanes, total: Math.max(total_ms, ...lanes.map(({ end }) => end), 1) };
}
