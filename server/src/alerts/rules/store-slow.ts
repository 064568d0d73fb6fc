// Writes to the database that take long: by the middle of the last few, so that one slow write is no alert.
import { type Rule, threshold } from '../finding.ts';

export const storeSlow: Rule = {
  everySeconds: 5,
  calmSeconds: 30,
  async find(context) {
    const sorted = context.writeTimes.toSorted((one, other) => one - other);
    const middle = sorted[Math.floor(sorted.length / 2)];
    if (sorted.length < 3 || middle === undefined || middle < threshold(context, 'milliseconds')) return [];
    const detail = `A small write takes ${Math.round(middle)} ms. Every request waits for writes.`;
    return [{ kind: 'store', subject: 'store', title: 'The database is slow', detail }];
  },
};
