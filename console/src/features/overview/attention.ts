// What an operator should look at first, worked out from what the other pages show.
import type { Account } from '#contract/accounts.ts';
import type { ChannelHealth } from '#contract/channel-health.ts';
import type { Channel } from '#contract/channels.ts';
import type { Model } from '#contract/models.ts';
import type { LoggedRequest } from '#contract/requests.ts';
import type { Task } from '#contract/tasks.ts';

export interface Concern {
  id: string;
  grave: boolean;
  title: string;
  detail: string;
  /** The page that tells more. */
  page:
    | { to: '/channels/$id' | '/accounts/$id' | '/tasks/$id' | '/requests/$id'; id: string }
    | { to: '/models' }
    | { to: '/tasks' };
}

interface Seen {
  channels: Channel[];
  health: ReadonlyMap<string, ChannelHealth>;
  accounts: Account[];
  /** Account -> charged in the last day. */
  spentToday: ReadonlyMap<string, number>;
  models: Model[];
  /** Live video tasks that need somebody; the first of them are enough. */
  stuckTasks: Task[];
  /** Requests of the last day whose reported usage could not be true; the newest are enough. */
  boundedRequests: LoggedRequest[];
  /** Requests of the last day that used something without a price; the newest are enough. */
  unpricedRequests: LoggedRequest[];
}

/** A balance is low when it lasts for less than this many days like the last one. */
const DAYS_LEFT = 3;

export function findConcerns(seen: Seen): Concern[] {
  return [
    ...channelConcerns(seen),
    ...usageConcerns(seen),
    ...unpricedConcerns(seen),
    ...accountConcerns(seen),
    ...taskConcerns(seen),
    ...modelConcerns(seen),
  ].sort((a, b) => Number(b.grave) - Number(a.grave));
}

function channelConcerns({ channels, health }: Seen): Concern[] {
  const concerns: Concern[] = [];
  for (const { id, name, status, health: known } of channels) {
    const own = health.get(id);
    if (own === undefined || status !== 'enabled') continue;
    const page = { to: '/channels/$id', id } as const;
    if (own.breaker !== 'closed') {
      const detail = 'Most of its calls failed; requests go elsewhere until it works again.';
      concerns.push({ id: `breaker ${id}`, grave: true, title: `The breaker of ${name} is open`, detail, page });
    } else if (known.state === 'failing') {
      const detail = known.last_error?.message ?? 'Its last test failed.';
      concerns.push({ id: `failing ${id}`, grave: true, title: `${name} does not answer`, detail, page });
    }
    const rejected = own.keys.filter(({ state }) => state === 'rejected').length;
    if (rejected > 0) {
      const title = `${name} has ${rejected === 1 ? 'a key' : `${rejected} keys`} that the upstream rejects`;
      const detail = rejected === own.keys.length ? 'No key is left that works.' : 'Its other keys still serve.';
      concerns.push({ id: `keys ${id}`, grave: rejected === own.keys.length, title, detail, page });
    }
  }
  return concerns;
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

function accountConcerns({ accounts, spentToday }: Seen): Concern[] {
  return accounts.flatMap(({ id, name, status, balance }): Concern[] => {
    const spent = spentToday.get(id) ?? 0;
    const left = Number(balance);
    if (status !== 'active' || spent === 0 || left >= spent * DAYS_LEFT) return [];
    const page = { to: '/accounts/$id', id } as const;
    if (left <= 0)
      return [
        {
          id: `empty ${id}`,
          grave: true,
          title: `${name} has no balance left`,
          detail: 'Its requests are refused.',
          page,
        },
      ];
    const detail = `At the pace of the last day it lasts less than ${DAYS_LEFT} days.`;
    return [{ id: `low ${id}`, grave: false, title: `The balance of ${name} is low`, detail, page }];
  });
}

function taskConcerns({ stuckTasks }: Seen): Concern[] {
  const [first] = stuckTasks;
  if (first === undefined) return [];
  const detail = 'They hold money and do not move: submits that were lost, silent providers, hours of waiting.';
  if (stuckTasks.length > 1) {
    const title = `${stuckTasks.length} video tasks are stuck`;
    return [{ id: 'stuck', grave: true, title, detail, page: { to: '/tasks' } }];
  }
  const page = { to: '/tasks/$id', id: first.id } as const;
  return [
    {
      id: `stuck ${first.id}`,
      grave: true,
      title: `A video of ${first.model} is stuck`,
      detail: whyStuck(first),
      page,
    },
  ];
}

function whyStuck({ stuck }: Task): string {
  if (stuck === 'submit_unknown') return 'Whether its provider took it is not known.';
  return stuck === 'not_answering' ? 'Its provider does not answer.' : 'It has been running for more than an hour.';
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
