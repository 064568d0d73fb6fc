// The last day in 24 slots of an hour, for strips: also those in which nothing was called.
import type { BoardHour } from '#contract/channel-board.ts';

export interface DaySlot extends Omit<BoardHour, 'charged'> {
  charged: string | null;
}

const HOUR_SECONDS = 3600;
const SLOTS = 24;

/** Oldest first; the last is the hour under way. */
export function slotsOf(hours: readonly BoardHour[], now: number): DaySlot[] {
  const last = now - (now % HOUR_SECONDS);
  const known = new Map(hours.map((hour) => [hour.hour, hour]));
  return Array.from({ length: SLOTS }, (_, index) => {
    const hour = last - (SLOTS - 1 - index) * HOUR_SECONDS;
    return known.get(hour) ?? { hour, answered: 0, failed: 0, charged: null };
  });
}

export interface RecentCalls {
  calls: number;
  failed: number;
}

/** Of the hour under way and the one before: what a channel is like now. */
export function recentCalls(hours: readonly BoardHour[], now: number): RecentCalls {
  const recent = slotsOf(hours, now).slice(-2);
  const failed = recent.reduce((sum, slot) => sum + slot.failed, 0);
  return { failed, calls: recent.reduce((sum, slot) => sum + slot.answered, failed) };
}
