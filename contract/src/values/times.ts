// Times on the wire: Unix seconds; as a filter also ISO 8601.
import { z } from 'zod';

const LAST_SECOND = 253_402_300_799; // end of the year 9999

export const unixTime = z.int().min(0).max(LAST_SECOND);

/** A query parameter: Unix seconds or an ISO 8601 time, read as Unix seconds. */
export const timeFilter = z
  .string()
  .max(40)
  .transform((text, context) => {
    const seconds = /^\d{1,12}$/.test(text) ? Number(text) : Math.floor(Date.parse(text) / 1000);
    if (Number.isFinite(seconds) && seconds >= 0 && seconds <= LAST_SECOND) return seconds;
    context.addIssue({ code: 'custom', message: 'must be Unix seconds or an ISO 8601 time' });
    return z.NEVER;
  })
  .meta({ description: 'Unix seconds or an ISO 8601 time' });
