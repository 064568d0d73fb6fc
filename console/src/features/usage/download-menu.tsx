// The rows of the page as files: by name, or by name and time.
import { Button, Menu } from '@mantine/core';
import { useState } from 'react';
import type { UsageKey } from '#contract/usage.ts';
import { Icon } from '../../components/icon.tsx';
import { t } from '../../i18n/t.ts';
import { download } from '../../lib/csv.ts';
import { notifyFailure } from '../../lib/notify-failure.ts';
import { allRows } from './api.ts';
import { dayOf, type Period } from './periods.ts';
import type { Filters } from './request-search.ts';
import { usageFile } from './usage-file.ts';
import { nameOfKey } from './usage-names.ts';
import { headerOf } from './usage-table.tsx';

interface DownloadMenuProps {
  period: Period;
  by: UsageKey;
  filters: Filters;
  currency: string;
  zone: string;
}

export function DownloadMenu({ period, by, filters, currency, zone }: DownloadMenuProps) {
  const [busy, setBusy] = useState(false);
  const { from, to, bucket, clock } = period;
  const save = async (kind: 'all' | 'hour' | 'day') => {
    setBusy(true);
    try {
      const rows = await allRows({ from, to, bucket: kind, zone, by }, filters);
      const text = usageFile({
        rows,
        by,
        clock,
        currency,
        nameOf: (row) => nameOfKey(by, row[by] ?? '', row.name),
        endOf: (start) => (kind === 'all' ? to : clock.next(kind, start)),
      });
      const span = `${dayOf(clock, from)}-to-${dayOf(clock, to - 1)}`;
      download(`usage-by-${by}${kind === 'all' ? '' : `-and-${kind}`}-${span}.csv`, text);
    } catch (error) {
      notifyFailure(error);
    } finally {
      setBusy(false);
    }
  };
  const name = headerOf(by);
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" loading={busy} rightSection={<Icon name="down" size={14} />}>
          {t('Download CSV')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => void save('all')}>{t('By {name}: the table', { name })}</Menu.Item>
        <Menu.Item onClick={() => void save(bucket)}>
          {bucket === 'day' ? t('By {name} and day: the bars', { name }) : t('By {name} and hour: the bars', { name })}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
