// What an operator should look at first: open alerts, and what is worth a look in requests and the catalogue.
import type { Attention } from '#contract/attention.ts';
import { known, plural, t } from '../../i18n/t.ts';
import { subjectPage, type SubjectPage } from '../../lib/subject-page.ts';

export interface Concern {
  id: string;
  grave: boolean;
  title: string;
  detail: string;
  /** The page that tells more. */
  page: SubjectPage | { to: '/requests/$id'; id: string };
}

export function findConcerns(seen: Attention): Concern[] {
  return [...alertConcerns(seen), ...usageConcerns(seen), ...unpricedConcerns(seen), ...modelConcerns(seen)].sort(
    (a, b) => Number(b.grave) - Number(a.grave),
  );
}

/** What the rules of alerts found: the page of alerts has more of it. */
function alertConcerns({ alerts }: Attention): Concern[] {
  return alerts.map((alert) => ({
    id: alert.id,
    grave: alert.severity === 'critical',
    title: known(alert.title),
    detail: known(alert.detail),
    page: subjectPage(alert),
  }));
}

function usageConcerns({ bounded }: Attention): Concern[] {
  return bounded.map(({ channel_id, channel, requests, request_id }) => ({
    id: `bounded ${channel_id ?? ''}`,
    grave: false,
    title: plural(
      requests,
      '{name} reported usage that cannot be true, once in a day',
      '{name} reported usage that cannot be true, {count} times in a day',
      { name: channel ?? t('A removed channel') },
    ),
    detail: t('As much of it was charged as can be true. Compare it with what the provider bills.'),
    page: { to: '/requests/$id', id: request_id },
  }));
}

function unpricedConcerns({ unpriced }: Attention): Concern[] {
  return unpriced.map(({ model, uses, request_id }) => {
    const named = Object.entries(uses)
      .map(([name, count]) => `${count} x ${name}`)
      .join(', ');
    return {
      id: `unpriced ${model}`,
      grave: false,
      title: t('{model} used what has no price: {named}', { model, named }),
      detail: t(
        'Nothing was charged for it in the last day. Add it to the price of the model, with 0 if it is meant to be free.',
      ),
      page: { to: '/requests/$id', id: request_id },
    };
  });
}

function modelConcerns({ unserved_models: [first, ...others] }: Attention): Concern[] {
  if (first === undefined) return [];
  const title =
    others.length === 0
      ? t('No enabled channel carries {id}', { id: first })
      : t('No enabled channel carries {id} and {count} more', { id: first, count: others.length });
  return [
    {
      id: 'lonely',
      grave: false,
      title,
      detail: t('Such models are not offered to anybody.'),
      page: { to: '/models' },
    },
  ];
}
