// The filters of the usage page. What can be chosen is read from the gateway, not typed.
import { useQuery } from '@tanstack/react-query';
import { FilterBar } from '../../components/filter-bar.tsx';
import { t } from '../../i18n/t.ts';
import { allChannels, allGroups, allModels } from '../../lib/choices.ts';
import { useMinute } from '../../lib/use-minute.ts';
import { sumsQuery } from './api.ts';
import { filterNames, type Filters } from './request-search.ts';
import type { UsageSearch } from './usage-search.ts';

interface UsageFiltersProps {
  search: UsageSearch;
  change(part: Partial<UsageSearch>): void;
}

const MONTH = 30 * 86_400;

export function UsageFilters({ search, change }: UsageFiltersProps) {
  const { data: kinds = [] } = useQuery(allChannels);
  const { data: models = [] } = useQuery(allModels);
  const { data: groups = [] } = useQuery(allGroups);
  const hour = Math.floor(useMinute() / 3600) * 3600;
  const seen = { from: hour - MONTH, to: hour + 3600, bucket: 'all' } as const;
  const { data: endpoints } = useQuery(sumsQuery({ ...seen, by: 'endpoint' }, {}));
  const { data: statuses } = useQuery(sumsQuery({ ...seen, by: 'status' }, {}));
  const same = (values: Iterable<string>): [string, string][] =>
    [...new Set(values)].filter((value) => value !== '' && value !== '0').map((value) => [value, value]);
  const values = Object.fromEntries(filterNames.map((name) => [name, search[name]])) as Filters;
  return (
    <FilterBar
      values={values}
      onChange={(chosen) => change(Object.fromEntries(filterNames.map((name) => [name, chosen[name] ?? ''])))}
      filters={[
        { kind: 'subject', name: 'account_id', label: t('Account'), of: 'account' },
        { kind: 'subject', name: 'token_id', label: t('Token'), of: 'token' },
        { kind: 'choice', name: 'model', label: t('Model'), choices: same(models.map(({ id }) => id)) },
        { kind: 'subject', name: 'channel_id', label: t('Channel'), of: 'channel' },
        {
          kind: 'choice',
          name: 'provider',
          label: t('Provider'),
          choices: same(kinds.map(({ provider }) => provider)),
        },
        { kind: 'choice', name: 'group', label: t('Group'), choices: same(groups.map(({ name }) => name)) },
        {
          kind: 'choice',
          name: 'endpoint',
          label: t('Endpoint'),
          choices: same(endpoints?.data.map(({ endpoint = '' }) => endpoint) ?? []),
        },
        {
          kind: 'choice',
          name: 'status',
          label: t('Status'),
          choices: same(statuses?.data.map(({ status = '' }) => status) ?? []),
        },
        {
          kind: 'choice',
          name: 'failed',
          label: t('Outcome'),
          choices: [
            ['true', t('failed only')],
            ['false', t('answered only')],
          ],
        },
        {
          kind: 'choice',
          name: 'mode',
          label: t('Mode'),
          choices: [
            ['live', t('live //mode of a token')],
            ['test', t('test //mode of a token')],
            ['any', t('live and test')],
          ],
        },
      ]}
    />
  );
}
