// All channels: where requests go, in which order, and how each fares.
import { Button, Group, Modal, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type Channel, channelList } from '#contract/channels.ts';
import { StateBadge } from '../../components/badges.tsx';
import { type Column, ListTable } from '../../components/data-table.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { Icon } from '../../components/icon.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { Page } from '../../components/page.tsx';
import { EmptyState } from '../../components/states.tsx';
import { usePages } from '../../lib/lists.ts';
import { healthQuery } from '../../lib/channel-health.ts';
import { formatMilliseconds } from '../../lib/format-time.ts';
import { useMayChange } from '../../lib/session.ts';
import { ChannelForm } from './channel-form.tsx';
import { formatShare } from './format-share.ts';
import { HealthBadge } from './health-badge.tsx';
import { useProviders } from './providers.ts';

const route = getRouteApi('/channels');

export function ChannelsScreen() {
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const mayChange = useMayChange();
  const labels = new Map(useProviders().map(({ name, label }) => [name, label]));
  const { data: health } = useQuery(healthQuery);
  const pages = usePages({ path: '/channels', schema: channelList, filters });
  const [making, { open, close }] = useDisclosure(false);
  const createButton = (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={open}>
      Add channel
    </Button>
  );
  const columns: Column<Channel>[] = [
    {
      header: 'Name',
      render: (row) => (
        <>
          <PageLink to="/channels/$id" params={{ id: row.id }} className="cut">
            {row.name}
          </PageLink>
          <Text size="xs" c="dimmed" className="cut">
            {row.base_url}
          </Text>
        </>
      ),
    },
    { header: 'Provider', wide: true, render: (row) => labels.get(row.provider) ?? row.provider },
    {
      header: 'Health',
      render: (row) => (
        <Group gap={6} wrap="nowrap">
          <HealthBadge channel={row} live={health?.get(row.id)} />
          {row.sandbox && <StateBadge state="sandbox" />}
        </Group>
      ),
    },
    { header: 'Answered, 24 h', align: 'right', render: (row) => formatShare(row.health.success_rate) },
    {
      header: 'p95',
      align: 'right',
      wide: true,
      render: (row) => (row.health.p95_ms === null ? '-' : formatMilliseconds(row.health.p95_ms)),
    },
    { header: 'Models', align: 'right', render: (row) => Object.keys(row.models).length },
    { header: 'Keys', align: 'right', wide: true, render: (row) => row.keys.length },
    { header: 'Priority', align: 'right', wide: true, render: (row) => row.priority },
    { header: 'Weight', align: 'right', wide: true, render: (row) => row.weight },
    { header: 'Running', align: 'right', wide: true, render: (row) => health?.get(row.id)?.running ?? 0 },
  ];
  return (
    <Page
      title="Channels"
      description="Configured upstreams. Higher priority is asked first; within a priority, weight and chance decide."
      actions={mayChange && createButton}
    >
      <ListTable
        label="Channels"
        pages={pages}
        keyOf={(row) => row.id}
        columns={columns}
        empty={
          <EmptyState icon="channels" title="No channels" action={mayChange && createButton}>
            Without a channel no model can be reached.
          </EmptyState>
        }
        tools={
          <FilterBar
            values={filters}
            onChange={(search) => void navigate({ search, replace: true })}
            filters={[
              {
                kind: 'choice',
                name: 'provider',
                label: 'Provider',
                choices: [...labels],
              },
              {
                kind: 'choice',
                name: 'status',
                label: 'State',
                choices: [
                  ['enabled', 'enabled'],
                  ['disabled', 'disabled'],
                ],
              },
            ]}
          />
        }
      />
      <Modal opened={making} onClose={close} title="Add channel" size="lg">
        <ChannelForm
          channel={undefined}
          cancel={close}
          onDone={({ id }) => {
            close();
            void navigate({ to: '/channels/$id', params: { id } });
          }}
        />
      </Modal>
    </Page>
  );
}
