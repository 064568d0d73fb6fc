// The longest time that a gateway's event loop was late, from its own metrics. Reading them begins a new count.
import type { RunningRelay } from '../relays/relay.ts';

/** In milliseconds; NaN for a relay that does not tell. */
export async function readLongestDelay({ metrics }: Pick<RunningRelay, 'metrics'>): Promise<number> {
  if (metrics === undefined) return Number.NaN;
  const text = await metrics();
  const seconds = /^\w*nodejs_eventloop_lag_max_seconds(?:\{[^}]*\})? (\S+)/m.exec(text)?.[1];
  return seconds === undefined ? Number.NaN : Number(seconds) * 1000;
}
