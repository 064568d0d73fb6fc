// The catalogue: what is offered, for what, at which price, and through how many channels.
import { Badge, Box, Button, Group, Modal, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { Model } from '#contract/models.ts';
import { StateBadge } from '../../components/badges.tsx';
import { type Column, ListTable } from '../../components/data-table.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { Icon } from '../../components/icon.tsx';
import { Page } from '../../components/page.tsx';
import { EmptyState, Notice } from '../../components/states.tsx';
import { allChannels, allModels } from '../../lib/choices.ts';
import { toDay } from '../../lib/format-time.ts';
import { useMayChange } from '../../lib/session.ts';
import { ModelForm } from './model-form.tsx';
import { PriceHistory } from './price-history.tsx';
import { PriceImport } from './price-import.tsx';
import { priceWords } from './price-words.ts';

const route = getRouteApi('/models');

export function ModelsScreen() {
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const mayChange = useMayChange();
  const models = useQuery(allModels);
  const { data: channels = [] } = useQuery(allChannels);
  /** A name without a model: one that channels carry and nobody has priced. */
  const [edited, setEdited] = useState<{ model?: Model; id?: string }>();
  const [past, setPast] = useState<string>();
  const [importing, setImporting] = useState(false);
  const carried = new Map<string, number>();
  for (const channel of channels) {
    if (channel.status === 'enabled')
      for (const name of Object.keys(channel.models)) carried.set(name, (carried.get(name) ?? 0) + 1);
  }
  const find = (filters.find ?? '').toLowerCase();
  const rows = models.data?.filter(({ id }) => id.toLowerCase().includes(find));
  const unpriced =
    models.data === undefined ? [] : [...carried.keys()].filter((name) => !models.data.some(({ id }) => id === name));

  const columns: Column<Model>[] = [
    {
      header: 'Model',
      render: (row) => (
        <>
          <Text size="sm" fw={500} className="cut">
            {row.id}
          </Text>
          <Text size="xs" c="dimmed" className="cut">
            {row.owned_by}
          </Text>
        </>
      ),
    },
    {
      header: 'State',
      render: (row) => (
        <Group gap={6} wrap="nowrap">
          <StateBadge state={row.enabled ? 'enabled' : 'disabled'} />
          {row.flag !== null && (
            <Badge color="blue" maw={120}>
              flag {row.flag}
            </Badge>
          )}
          {row.retires_at !== null && <Badge color="yellow">retires {toDay(row.retires_at)}</Badge>}
        </Group>
      ),
    },
    { header: 'Price', render: (row) => <Box miw={160}>{priceWords(row.price)}</Box> },
    {
      header: 'Good for',
      wide: true,
      render: (row) => <span className="cut">{row.endpoint_types.join(', ') || 'by price'}</span>,
    },
    {
      header: 'Channels',
      align: 'right',
      wide: true,
      render: (row) => carried.get(row.id) ?? <Badge color="red">none</Badge>,
    },
    {
      header: 'Actions',
      hideHeader: true,
      align: 'right',
      render: (row) => (
        <Group gap="xs" justify="flex-end" wrap="nowrap">
          <Button
            size="compact-sm"
            variant="subtle"
            onClick={() => setPast(row.id)}
            aria-label={`History of the prices of ${row.id}`}
          >
            History
          </Button>
          {mayChange && (
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => setEdited({ model: row })}
              aria-label={`Edit ${row.id}`}
            >
              Edit
            </Button>
          )}
        </Group>
      ),
    },
  ];
  return (
    <Page
      title="Models and prices"
      description="A model is offered when it is enabled, has a price, and a channel of the token's group carries it."
      actions={
        mayChange && (
          <>
            <Button variant="default" leftSection={<Icon name="upload" size={16} />} onClick={() => setImporting(true)}>
              Import list prices
            </Button>
            <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setEdited({})}>
              Add model
            </Button>
          </>
        )
      }
    >
      {mayChange && unpriced.length > 0 && (
        <Notice color="yellow">
          <Group gap="xs">
            Carried by channels, but not in the catalogue yet:
            {unpriced.slice(0, 10).map((id) => (
              <Button key={id} size="compact-xs" variant="default" onClick={() => setEdited({ id })}>
                Price {id}
              </Button>
            ))}
          </Group>
        </Notice>
      )}
      <ListTable
        label="Models"
        pages={{
          rows,
          error: models.error,
          loading: models.isPending,
          turning: false,
          page: 1,
          next: undefined,
          previous: undefined,
          retry: () => void models.refetch(),
        }}
        keyOf={(row) => row.id}
        columns={columns}
        empty={
          <EmptyState icon="models" title="No models">
            Nothing fits, or nothing is offered yet.
          </EmptyState>
        }
        tools={
          <FilterBar
            values={filters}
            onChange={(search) => void navigate({ search, replace: true })}
            filters={[{ kind: 'text', name: 'find', label: 'Find', placeholder: 'Part of a name' }]}
          />
        }
      />
      <PriceHistory model={past} close={() => setPast(undefined)} />
      <PriceImport opened={importing} close={() => setImporting(false)} />
      <Modal
        opened={edited !== undefined}
        onClose={() => setEdited(undefined)}
        title={edited?.model === undefined ? 'Add model' : 'Edit model'}
        size="lg"
      >
        {edited !== undefined && (
          <ModelForm
            model={edited.model}
            {...(edited.id !== undefined && { id: edited.id })}
            close={() => setEdited(undefined)}
          />
        )}
      </Modal>
    </Page>
  );
}
