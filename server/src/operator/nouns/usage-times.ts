// /usage/times: how long requests took, as percentiles over a day at most.
import { type Percentiles, usageTimes, usageTimesQuery } from '#contract/usage-times.ts';
import { invalidRequest } from '../../errors/gateway-error.ts';
import { unixSeconds } from '../../shared/clock.ts';
import { countTimes, percentile, type TimeCount, type TimesListing } from '../../store/queries/request-times.ts';
import type { OperatorApp, OperatorDependencies } from '../dependencies.ts';
import { failuresOfList, route } from '../operation.ts';

const LONGEST_SECONDS = 86_400;

export function usageTimesRoutes(app: OperatorApp, { store: { lists }, clock }: OperatorDependencies): void {
  app.get(
    '/usage/times',
    route('Usage', 'Percentiles of the times of requests, over a day at most', {
      querystring: usageTimesQuery,
      response: { 200: usageTimes, ...failuresOfList },
    }),
    async ({ query: { from, to, ...filters } }) => {
      const end = to ?? unixSeconds(clock) + 1;
      const begin = from ?? Math.max(0, end - LONGEST_SECONDS);
      if (begin >= end) throw invalidRequest('"from" must be before "to".', 'from');
      if (end - begin > LONGEST_SECONDS) throw invalidRequest('"from" must be at most a day before "to".', 'from');
      const listing: TimesListing = { from: begin, to: end, filters: filters as TimesListing['filters'] };
      const total = await countTimes(lists, 'total_ms', listing);
      const first = await countTimes(lists, 'first_byte_ms', listing);
      return { from: begin, to: end, first_byte_ms: percentilesOf(first), total_ms: percentilesOf(total) };
    },
  );
}

function percentilesOf(counts: readonly TimeCount[]): Percentiles {
  return { p50: percentile(counts, 0.5), p95: percentile(counts, 0.95), p99: percentile(counts, 0.99) };
}
