// What an operator should look at first, read at once for the first page of the console.
import type { Attention } from '#contract/attention.ts';
import { listAlerts } from '../../store/queries/alerts.ts';
import { unservedModels } from '../../store/queries/models.ts';
import { namesOf } from '../../store/queries/names.ts';
import { listRequests, type RequestListing } from '../../store/queries/requests.ts';
import type { Reads } from '../../store/store.ts';
import type { RequestsTable } from '../../store/tables.ts';
import { writeAlert } from './alerts.ts';

const DAY = 86_400;
/** The newest are enough. */
const MOST = 200;
const UNPRICED = /; unpriced: (.+)$/;

export async function readAttention(lists: Reads, now: number): Promise<Attention> {
  const ofLastDay = (filter: Partial<RequestListing>) =>
    listRequests(lists, { ...filter, from: now - DAY, limit: MOST });
  const [alerts, bounded, unpriced, unserved] = await Promise.all([
    listAlerts(lists, { state: 'open', limit: MOST }),
    ofLastDay({ usageSource: 'bounded' }),
    ofLastDay({ unpriced: true }),
    unservedModels(lists),
  ]);
  return {
    alerts: alerts.map(writeAlert),
    bounded: await boundedByChannel(lists, bounded),
    unpriced: unpricedByModel(unpriced),
    unserved_models: unserved,
  };
}

/** By channel: it is an upstream that reports wrongly. */
async function boundedByChannel(lists: Reads, rows: readonly RequestsTable[]): Promise<Attention['bounded']> {
  const groups = Map.groupBy(rows, ({ channel_id }) => channel_id);
  const names = await namesOf(lists, { channels: groups.keys() });
  return [...groups].map(([channel_id, [newest, ...others]]) => ({
    channel_id,
    channel: names[channel_id ?? ''] ?? null,
    requests: others.length + 1,
    request_id: newest?.id ?? '',
  }));
}

/** By model: it is its price that lacks something. */
function unpricedByModel(rows: readonly RequestsTable[]): Attention['unpriced'] {
  return [...Map.groupBy(rows, ({ model }) => model ?? '')].map(([model, requests]) => {
    const uses = new Map<string, number>();
    for (const { arithmetic } of requests)
      for (const one of UNPRICED.exec(arithmetic ?? '')?.[1]?.split(', ') ?? []) {
        const [, count = '1', name = one] = /^(\d+) (.+)$/.exec(one) ?? [];
        uses.set(name, (uses.get(name) ?? 0) + Number(count));
      }
    return { model, uses: Object.fromEntries(uses), request_id: requests[0]?.id ?? '' };
  });
}
