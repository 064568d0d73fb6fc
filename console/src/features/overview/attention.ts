// What an operator should look at first: open alerts, and what is worth a look in requests and the catalogue.
import type { Alert } from '#contract/alerts.ts';
import type { Channel } from '#contract/channels.ts';
import type { Model } from '#contract/models.ts';
import type { LoggedRequest } from '#contract/requests.ts';
import { subjectPage, type SubjectPage } from '../../lib/subject-page.ts';

export interface Concern {
  id: string;
  grave: boolean;
  title: string;
  detail: string;
  /** The page that tells more. */
  page: SubjectPage | { to: '/requests/$id'; id: string };
}

interface Seen {
  /** Open ones. */
  alerts: Alert[];
  channels: Channel[];
  models: Model[];
  /** Requests of the last day whose reported usage could not be true; the newest are enough. */
  boundedRequests: LoggedRequest[];
  /** Requests of the last day that used something without a price; the newest are enough. */
  unpricedRequests: LoggedRequest[];
}

export function findConcerns(seen: Seen): Concern[] {
  return [...alertConcerns(seen), ...usageConcerns(seen), ...unpricedConcerns(seen), ...modelConcerns(seen)].sort(
    (a, b) => Number(b.grave) - Number(a.grave),
  );
}

/** What the rules of alerts found: the page of alerts has more of it. */
function alertConcerns({ alerts }: Seen): Concern[] {
  return alerts.map((alert) => ({
    id: alert.id,
    grave: alert.severity === 'critical',
    title: alert.title,
    detail: alert.detail,
    page: subjectPage(alert),
  }));
}

/** By channel: it is an upstream that reports wrongly. */
function usageConcerns({ channels, boundedRequests }: Seen): Concern[] {
  return [...Map.groupBy(boundedRequests, ({ channel_id }) => channel_id ?? '')].map(([id, requests]) => {
    const name = channels.find((channel) => channel.id === id)?.name ?? 'A removed channel';
    const [first] = requests;
    const times = requests.length === 1 ? 'once' : `${requests.length} times`;
    return {
      id: `bounded ${id}`,
      grave: false,
      title: `${name} reported usage that cannot be true, ${times} in a day`,
      detail: 'As much of it was charged as can be true. Compare it with what the provider bills.',
      page: { to: '/requests/$id', id: first?.id ?? '' },
    };
  });
}

const UNPRICED = /; unpriced: (.+)$/;

/** By model: it is its price that lacks something. */
function unpricedConcerns({ unpricedRequests }: Seen): Concern[] {
  return [...Map.groupBy(unpricedRequests, ({ model }) => model ?? '')].map(([model, requests]) => {
    const uses = new Map<string, number>();
    for (const { arithmetic } of requests)
      for (const one of UNPRICED.exec(arithmetic ?? '')?.[1]?.split(', ') ?? []) {
        const [, count = '1', name = one] = /^(\d+) (.+)$/.exec(one) ?? [];
        uses.set(name, (uses.get(name) ?? 0) + Number(count));
      }
    const named = [...uses].map(([name, count]) => `${count} x ${name}`).join(', ');
    return {
      id: `unpriced ${model}`,
      grave: false,
      title: `${model} used what has no price: ${named}`,
      detail:
        'Nothing was charged for it in the last day. Add it to the price of the model, with 0 if it is meant to be free.',
      page: { to: '/requests/$id', id: requests[0]?.id ?? '' },
    };
  });
}

function modelConcerns({ models, channels }: Seen): Concern[] {
  const carried = new Set(
    channels.flatMap((channel) => (channel.status === 'enabled' ? Object.keys(channel.models) : [])),
  );
  const lonely = models.filter(({ id, enabled, price }) => enabled && price !== null && !carried.has(id));
  const first = lonely[0];
  if (first === undefined) return [];
  const title =
    lonely.length === 1
      ? `No enabled channel carries ${first.id}`
      : `No enabled channel carries ${first.id} and ${lonely.length - 1} more`;
  return [
    { id: 'lonely', grave: false, title, detail: 'Such models are not offered to anybody.', page: { to: '/models' } },
  ];
}
