// Whether a question that failed is asked again by itself, before the page shows the error.
import { ApiError } from './api-error.ts';

const MOST = 2;
/** A busy or starting gateway: 1, 2, 4 and 8 seconds apart, by the library's own pauses. */
const MOST_BUSY = 4;

/** The shape of `retry` in TanStack Query. */
export function shouldRetry(count: number, error: unknown): boolean {
  if (!(error instanceof ApiError)) return count < MOST;
  if (error.status === 503) return count < MOST_BUSY;
  return error.status >= 500 && count < MOST;
}
