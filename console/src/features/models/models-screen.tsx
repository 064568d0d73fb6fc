// The catalogue: what is offered, for what, at which price, and through how many channels.
import { Badge, Box, Button, Group, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { Model } from '#contract/models.ts';
import { rich } from '../../i18n/rich.ts';
import { t } from '../../i18n/t.ts';
import { StateBadge } from '../../components/badges.tsx';
import { type Column, ListTable } from '../../components/data-table.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { FormModal } from '../../components/form-modal.tsx';
import { Icon } from '../../components/icon.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { Page } from '../../components/page.tsx';
import { EmptyState, Notice } from '../../components/states.tsx';
import { allChannels, allModels } from '../../lib/choices.ts';
import { toDay } from '../../lib/format-time.ts';
import { useMayChange } from '../../lib/session.ts';
import { modelBulk } from './model-bulk.ts';
import { ModelForm } from './model-form.tsx';
import { PriceHistory } from './price-history.tsx';
import { PriceImport } from './price-import.tsx';
import { priceLabel } from './price-label.ts';

const route = getRouteApi('/models');

export function ModelsScreen() {
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const mayChange = useMayChange();
  const client = useQueryClient();
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
  const found = models.data?.filter(({ id, owned_by }) => `${id} ${owned_by}`.toLowerCase().includes(find));
  const rows = found === undefined ? undefined : sortModels(found, filters.sort);
  const unpriced =
    models.data === undefined ? [] : [...carried.keys()].filter((name) => !models.data.some(({ id }) => id === name));

  const columns: Column<Model>[] = [
    {
      header: t('Model'),
      sort: 'id',
      render: (row) => (
        <>
          <PageLink to="/models/$id" params={{ id: row.id }} className="cut">
            {row.id}
          </PageLink>
          <Text size="xs" c="dimmed" className="cut">
            {row.owned_by}
          </Text>
        </>
      ),
    },
    {
      header: t('State'),
      render: (row) => (
        <Group gap={6}>
          <StateBadge state={row.enabled ? 'enabled' : 'disabled'} />
          {row.flag !== null && (
            <Badge color="blue" maw={160}>
              {t('flag {flag}', { flag: row.flag })}
            </Badge>
          )}
          {row.retires_at !== null && (
            <Badge color="yellow">{t('retires {day}', { day: toDay(row.retires_at) })}</Badge>
          )}
        </Group>
      ),
    },
    { header: t('Price'), render: (row) => <Box miw={160}>{priceLabel(row.price)}</Box> },
    {
      header: t('Endpoint types'),
      wide: true,
      render: (row) => <span className="cut">{row.endpoint_types.join(', ') || t('by price')}</span>,
    },
    {
      header: t('Channels'),
      align: 'right',
      wide: true,
      render: (row) => carried.get(row.id) ?? <Badge color="red">{t('none')}</Badge>,
    },
    {
      header: t('Actions'),
      hideHeader: true,
      align: 'right',
      render: (row) => (
        <Group gap="xs" justify="flex-end" wrap="nowrap">
          <Button
            size="compact-sm"
            variant="subtle"
            onClick={() => setPast(row.id)}
            aria-label={t('History of the prices of {id}', { id: row.id })}
          >
            {t('History')}
          </Button>
          {mayChange && (
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => setEdited({ model: row })}
              aria-label={t('Edit {id}', { id: row.id })}
            >
              {t('Edit')}
            </Button>
          )}
        </Group>
      ),
    },
  ];
  return (
    <Page
      title={t('Models and prices')}
      description={t(
        "A model is offered when it is enabled, has a price, and a channel of the token's group carries it.",
      )}
      actions={
        mayChange && (
          <>
            <Button variant="default" leftSection={<Icon name="upload" size={16} />} onClick={() => setImporting(true)}>
              {t('Import list prices')}
            </Button>
            <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setEdited({})}>
              {t('Add model')}
            </Button>
          </>
        )
      }
    >
      {mayChange && unpriced.length > 0 && (
        <Notice color="yellow">
          <Group gap="xs">
            {rich('Carried by channels, but not in the catalogue yet: {models}', {
              models: unpriced.slice(0, 10).map((id) => (
                <Button key={id} size="compact-xs" variant="default" onClick={() => setEdited({ id })}>
                  {t('Price {id}', { id })}
                </Button>
              )),
            })}
          </Group>
        </Notice>
      )}
      <ListTable
        label={t('Models')}
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
        sorted={{
          by: filters.sort,
          onChange: (sort) => void navigate({ search: { ...filters, sort }, replace: true }),
        }}
        bulk={mayChange ? modelBulk(client) : undefined}
        empty={
          <EmptyState icon="models" title={t('No models')}>
            {t('Nothing fits, or nothing is offered yet.')}
          </EmptyState>
        }
        tools={
          <FilterBar
            values={filters}
            onChange={(search) => void navigate({ search, replace: true })}
            filters={[{ kind: 'text', name: 'find', label: t('Find'), placeholder: t('Part of a name') }]}
          />
        }
      />
      <PriceHistory model={past} close={() => setPast(undefined)} />
      <PriceImport opened={importing} close={() => setImporting(false)} />
      <FormModal
        opened={edited !== undefined}
        onClose={() => setEdited(undefined)}
        title={edited?.model === undefined ? t('Add model') : t('Edit model')}
        size="lg"
      >
        {edited !== undefined && (
          <ModelForm
            model={edited.model}
            {...(edited.id !== undefined && { id: edited.id })}
            close={() => setEdited(undefined)}
          />
        )}
      </FormModal>
    </Page>
  );
}

/** Read whole, so the page itself can sort them; by name where nothing else is asked for. */
function sortModels(models: Model[], sort: string | undefined): Model[] {
  return sort === '-id' ? models.toReversed() : models;
}
