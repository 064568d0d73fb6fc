// Times on the wire: Unix seconds; as a filter also ISO 8601.
import { z } from 'zod';

const LAST_SECOND = 253_402_300_799; // end of the year 9999

const NOT_A_TIME = 'must be a time in Unix seconds, such as 1798761600 (not milliseconds, not text)';

export const unixTime = z.int(NOT_A_TIME).min(0, NOT_A_TIME).max(LAST_SECOND, NOT_A_TIME);

const ISO_TIME = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?$/;

/** A query parameter: Unix seconds or an ISO 8601 time (UTC unless it says otherwise), read as Unix seconds. */
export const timeFilter = z
  .string()
  .max(40)
  .transform((text, context) => {
    const seconds = /^\d{1,12}$/.test(text) ? Number(text) : readIsoTime(text);
    if (Number.isFinite(seconds) && seconds >= 0 && seconds <= LAST_SECOND) return seconds;
    context.addIssue({ code: 'custom', message: 'must be Unix seconds or an ISO 8601 time' });
    return z.NEVER;
  })
  .meta({ description: 'Unix seconds or an ISO 8601 time' });

function readIsoTime(text: string): number {
  const match = ISO_TIME.exec(text);
  if (match === null) return Number.NaN;
  const local = text.includes('T') && match[1] === undefined;
  return Math.floor(Date.parse(local ? `${text}Z` : text) / 1000);
}
