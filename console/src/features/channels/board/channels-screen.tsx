// The board of channels: where requests go, how each fared in the last day, and which of them fail.
import { Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { channelBoard } from '#contract/channel-board.ts';
import { ListTable } from '../../../components/data-table.tsx';
import { FilterBar } from '../../../components/filter-bar.tsx';
import { Icon } from '../../../components/icon.tsx';
import { PageButton } from '../../../components/page-link.tsx';
import { Page } from '../../../components/page.tsx';
import { EmptyState } from '../../../components/states.tsx';
import { known, t } from '../../../i18n/t.ts';
import { healthQuery } from '../../../lib/channel-health.ts';
import { usePages } from '../../../lib/lists.ts';
import { useMayChange } from '../../../lib/session.ts';
import { useMinute } from '../../../lib/use-minute.ts';
import { useProviders } from '../providers.ts';
import { boardColumns } from './board-columns.tsx';
import { TestAllButton, TestAllResult, useTestAll } from './test-all.tsx';
import '../channels.css';

const route = getRouteApi('/channels');

export function ChannelsScreen() {
  const { keys, ...filters } = route.useSearch();
  const navigate = route.useNavigate();
  const mayChange = useMayChange();
  const labels = new Map(useProviders().map(({ name, label }) => [name, known(label)]));
  const { data: live } = useQuery(healthQuery);
  const now = useMinute();
  const pages = usePages({ path: '/channel-board', schema: channelBoard, filters, refreshEvery: 15_000 });
  const { run, isRunning, start } = useTestAll();
  const connectButton = (
    <PageButton to="/channels/new" leftSection={<Icon name="plus" size={16} />}>
      {t('Connect a provider')}
    </PageButton>
  );
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <Page
      title={t('Channels')}
      description={t(
        'Configured upstreams. Higher priority is asked first; within a priority, weight and chance decide.',
      )}
      actions={
        mayChange && (
          <>
            <TestAllButton isRunning={isRunning} start={start} />
            {connectButton}
          </>
        )
      }
    >
      <TestAllResult run={run} isRunning={isRunning} />
      <ListTable
        label={t('Channels')}
        pages={pages}
        keyOf={(row) => row.id}
        columns={boardColumns({ live, labels, now, withKeys: keys !== undefined })}
        empty={
          isFiltered ? (
            <EmptyState icon="channels" title={t('No channel is like that')}>
              {filters.health === 'failing' ? t('None is failing, and no key is rejected.') : undefined}
            </EmptyState>
          ) : (
            <EmptyState icon="channels" title={t('No channels')} action={mayChange && connectButton}>
              {t('Without a channel no model can be reached.')}
            </EmptyState>
          )
        }
        tools={
          <FilterBar
            values={filters}
            onChange={(search) =>
              void navigate({ search: { ...search, ...(keys !== undefined && { keys }) }, replace: true })
            }
            filters={[
              { kind: 'text', name: 'q', label: t('Name contains') },
              {
                kind: 'choice',
                name: 'health',
                label: t('Health'),
                choices: [
                  ['failing', t('failing')],
                  ['healthy', t('healthy')],
                  ['unknown', t('no answer yet')],
                  ['off', t('off')],
                ],
              },
              { kind: 'choice', name: 'provider', label: t('Provider'), choices: [...labels] },
              {
                kind: 'choice',
                name: 'status',
                label: t('State'),
                choices: [
                  ['enabled', t('enabled')],
                  ['disabled', t('disabled')],
                ],
              },
            ]}
          />
        }
      />
      <Switch
        label={t('Show the keys of each channel')}
        checked={keys !== undefined}
        onChange={(event) => {
          const shown = event.currentTarget.checked;
          void navigate({ search: { ...filters, ...(shown && { keys: 'shown' }) }, replace: true });
        }}
      />
    </Page>
  );
}
