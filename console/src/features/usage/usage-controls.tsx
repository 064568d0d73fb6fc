// What the usage page shows: period, names, measure and filters. All of it is in the address.
import { Button, Group, SegmentedControl, Select, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { usageKey, type UsageKey } from '#contract/usage.ts';
import { Icon } from '../../components/icon.tsx';
import { plural, t } from '../../i18n/t.ts';
import { localZone, UTC, zoneLabel } from '../../lib/zone.ts';
import { type Measure, measures } from './columns.ts';
import { dayOf, type Period, type Preset, presets } from './periods.ts';
import { UsageFilters } from './usage-filters.tsx';
import type { UsageSearch } from './usage-search.ts';
import { headerOf } from './usage-table.tsx';

interface UsageControlsProps {
  search: UsageSearch;
  period: Period;
  preset: Preset;
  by: UsageKey;
  measure: Measure;
  compared: boolean;
  now: number;
  change(part: Partial<UsageSearch>): void;
}

export function UsageControls({ search, period, preset, by, measure, compared, now, change }: UsageControlsProps) {
  const { zone } = period.clock;
  return (
    <Stack gap="sm">
      <Group gap={6} role="group" aria-label={t('Period')}>
        {presets.map((name) => (
          <Button
            key={name}
            size="xs"
            variant={name === preset ? 'filled' : 'default'}
            aria-pressed={name === preset}
            onClick={() => change(name === 'custom' ? customOf(period) : { range: name, first: '', last: '' })}
          >
            {presetWords(name)}
          </Button>
        ))}
      </Group>
      {preset === 'custom' && (
        <Group gap="sm" align="flex-end">
          <TextInput
            size="xs"
            type="date"
            label={t('First day')}
            value={search.first ?? dayOf(period.clock, period.from)}
            onChange={(event) => change({ first: event.currentTarget.value })}
          />
          <TextInput
            size="xs"
            type="date"
            label={t('Last day')}
            value={search.last ?? dayOf(period.clock, period.to - 1)}
            onChange={(event) => change({ last: event.currentTarget.value })}
          />
        </Group>
      )}
      <Group gap="md" align="flex-end">
        <Select
          size="xs"
          w={150}
          label={t('Group by')}
          allowDeselect={false}
          data={usageKey.options.map((key) => ({ value: key, label: headerOf(key) }))}
          value={by}
          onChange={(key) => change({ by: key ?? 'model' })}
        />
        <SegmentedControl
          size="xs"
          aria-label={t('Measure')}
          data={measures.map((name) => ({ value: name, label: measureWords(name) }))}
          value={measure}
          onChange={(name) => change({ measure: name })}
        />
        <Switch
          size="xs"
          // In the middle of the fields beside it.
          styles={{ body: { minHeight: 30, alignItems: 'center' } }}
          label={t('Compare with the period before')}
          checked={compared}
          onChange={(event) => change({ compare: event.currentTarget.checked ? '' : 'off' })}
        />
        <Select
          size="xs"
          w={230}
          label={t('Time zone')}
          allowDeselect={false}
          data={[...new Set([localZone, UTC, zone])].map((name) => ({
            value: name,
            label: zoneLabel(name, now),
          }))}
          value={zone}
          onChange={(name) => change({ zone: name === localZone ? '' : (name ?? '') })}
        />
      </Group>
      <FilterPart search={search} change={change} />
    </Stack>
  );
}

function FilterPart({ search, change }: Pick<UsageControlsProps, 'search' | 'change'>) {
  const { range: _range, first: _first, last: _last, by: _by, measure: _measure, ...others } = search;
  const { compare: _compare, zone: _zone, ...filters } = others;
  const count = Object.keys(filters).length;
  const [isOpen, setOpen] = useState(count > 0);
  return (
    <>
      <Group gap="xs">
        <Button
          size="xs"
          variant="subtle"
          leftSection={<Icon name="filter" size={14} />}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {count === 0 ? t('Filters') : plural(count, '{count} filter', '{count} filters')}
        </Button>
        {filters.mode === undefined && (
          <Text size="xs" c="dimmed">
            {t('Live traffic; calls with test tokens are left out.')}
          </Text>
        )}
      </Group>
      {isOpen && <UsageFilters search={search} change={change} />}
    </>
  );
}

function customOf({ clock, from, to }: Period): Partial<UsageSearch> {
  return { range: 'custom', first: dayOf(clock, from), last: dayOf(clock, to - 1) };
}

function presetWords(preset: Preset): string {
  const words: Record<Preset, string> = {
    today: t('Today'),
    yesterday: t('Yesterday'),
    '7d': t('7 days'),
    '30d': t('30 days'),
    '90d': t('90 days'),
    month: t('This month'),
    'last-month': t('Last month'),
    custom: t('Custom'),
  };
  return words[preset];
}

export function measureWords(measure: Measure): string {
  const words: Record<Measure, string> = {
    amount: t('Charged'),
    requests: t('Requests //count'),
    errors: t('Failed //count'),
    tokens: t('Tokens //counted'),
  };
  return words[measure];
}
