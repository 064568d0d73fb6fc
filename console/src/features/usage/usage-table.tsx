// Usage by name: the largest first by what the bars show, each row a link to its requests.
import { ActionIcon, Box, Button, Group, Table, Text, Tooltip, VisuallyHidden } from '@mantine/core';
import type { UsageKey, UsageRow } from '#contract/usage.ts';
import { Amount } from '../../components/amount.tsx';
import { Icon } from '../../components/icon.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { t } from '../../i18n/t.ts';
import { formatCount } from '../../lib/format-money.ts';
import { formatMilliseconds } from '../../lib/format-time.ts';
import { Change } from './change.tsx';
import { type Measure, valueOf } from './columns.ts';
import type { RequestSearch } from './request-search.ts';
import { colorOf } from './series-colors.ts';
import { percentOf, type UsageLabels } from './usage-labels.ts';

interface UsageTableProps {
  rows: UsageRow[];
  by: UsageKey;
  measure: Measure;
  currency: string;
  /** Names with a colour. */
  keys: readonly string[];
  nameOf(row: UsageRow): string;
  words: UsageLabels;
  /** Of everything, also of what is not shown. */
  total: UsageRow | undefined;
  /** The period before, by name; undefined = it is not compared. */
  before: ReadonlyMap<string, UsageRow> | undefined;
  searchOf(key: string): RequestSearch;
  sortBy(measure: Measure): void;
  /** undefined where the key cannot be a filter. */
  narrow: ((key: string) => void) | undefined;
  more: (() => void) | undefined;
  loadingMore: boolean;
}

export function UsageTable(props: UsageTableProps) {
  const { rows, by, measure, total, before, more, loadingMore } = props;
  const all = valueOf(total, measure);
  const label = t('Usage by name');
  return (
    <>
      <Box className="table-frame" tabIndex={0} role="region" aria-label={label}>
        <Table aria-label={label}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{headerOf(by)}</Table.Th>
              <SortHeader {...props} of="amount" label={t('Charged')} />
              {before !== undefined && <Table.Th ta="right">{t('Change')}</Table.Th>}
              <Table.Th visibleFrom="sm">{t('Share')}</Table.Th>
              <SortHeader {...props} of="requests" label={t('Requests //count')} />
              <SortHeader {...props} of="errors" label={t('Failed //count')} wide />
              <SortHeader {...props} of="tokens" label={t('Tokens //counted')} wide />
              <Table.Th ta="right" visibleFrom="md">
                {t('First byte')}
              </Table.Th>
              <Table.Th visibleFrom="sm">
                <VisuallyHidden>{t('Narrow')}</VisuallyHidden>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <UsageTableRow key={row[by] ?? ''} {...props} row={row} all={all} />
            ))}
          </Table.Tbody>
          {total !== undefined && (
            <Table.Tfoot>
              <Table.Tr>
                <Table.Th>{t('Total')}</Table.Th>
                <Figures {...props} row={total} />
              </Table.Tr>
            </Table.Tfoot>
          )}
        </Table>
      </Box>
      {more !== undefined && (
        <Group justify="center" p="md">
          <Button variant="default" size="xs" onClick={more} loading={loadingMore}>
            {t('Show more')}
          </Button>
        </Group>
      )}
    </>
  );
}

function UsageTableRow({ row, all, ...props }: UsageTableProps & { row: UsageRow; all: bigint }) {
  const { by, keys, nameOf, searchOf, narrow } = props;
  const key = row[by] ?? '';
  const name = nameOf(row);
  return (
    <Table.Tr>
      <Table.Td>
        <div className="usage-name">
          <span className="swatch" style={{ background: colorOf(keys.indexOf(key)) }} />
          <PageLink to="/requests" search={searchOf(key)} className="cut">
            {name}
          </PageLink>
        </div>
      </Table.Td>
      <Figures {...props} row={row} all={all} />
      <Table.Td visibleFrom="sm">
        {narrow !== undefined && key !== '' && (
          <Tooltip label={t('Show only {name}', { name })}>
            <ActionIcon onClick={() => narrow(key)} aria-label={t('Show only {name}', { name })}>
              <Icon name="filter" size={14} />
            </ActionIcon>
          </Tooltip>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

/** `all`: of what it is a share; undefined for the sum of everything. */
function Figures({ row, all, ...props }: UsageTableProps & { row: UsageRow; all?: bigint }) {
  const { by, measure, currency, before, keys } = props;
  const key = row[by] ?? '';
  const value = valueOf(row, measure);
  const share = all === undefined || all <= 0n ? 0 : Number((value * 10_000n) / all) / 10_000;
  return (
    <>
      <Table.Td ta="right">
        <Amount amount={row.amount} currency={currency} />
      </Table.Td>
      {before !== undefined && (
        <Table.Td ta="right">
          {all !== undefined && <Change now={value} before={valueOf(before.get(key), measure)} measure={measure} />}
        </Table.Td>
      )}
      <Table.Td visibleFrom="sm">
        {all !== undefined && (
          <Group gap="xs" wrap="nowrap">
            <Box className="usage-share" flex={1}>
              <span style={{ width: `${Math.max(1, share * 100)}%`, background: colorOf(keys.indexOf(key)) }} />
            </Box>
            <Text size="xs" c="dimmed" className="numeric" w={40} ta="right">
              {percentOf(share)}
            </Text>
          </Group>
        )}
      </Table.Td>
      <Table.Td ta="right" className="numeric" title={String(row.requests)}>
        {formatCount(row.requests)}
      </Table.Td>
      <Table.Td ta="right" className="numeric" visibleFrom="sm">
        {row.errors === 0 ? '0' : `${formatCount(row.errors)} (${percentOf(row.errors / row.requests)})`}
      </Table.Td>
      <Table.Td
        ta="right"
        className="numeric"
        visibleFrom="sm"
        title={t('{input} input, {output} output', { input: row.input_tokens, output: row.output_tokens })}
      >
        {formatCount(row.input_tokens + row.output_tokens)}
      </Table.Td>
      <Table.Td ta="right" className="numeric" visibleFrom="md">
        {row.first_byte_ms === null ? '—' : formatMilliseconds(row.first_byte_ms)}
      </Table.Td>
    </>
  );
}

interface SortHeaderProps extends UsageTableProps {
  of: Measure;
  label: string;
  wide?: boolean;
}

function SortHeader({ of, label, wide = false, measure, sortBy }: SortHeaderProps) {
  const chosen = of === measure;
  return (
    <Table.Th ta="right" visibleFrom={wide ? 'sm' : undefined} aria-sort={chosen ? 'descending' : undefined}>
      <button type="button" className="sort-button" aria-pressed={chosen} onClick={() => sortBy(of)}>
        {label}
        {chosen && <Icon name="down" size={14} />}
      </button>
    </Table.Th>
  );
}

export function headerOf(by: UsageKey): string {
  const headers: Record<UsageKey, string> = {
    model: t('Model'),
    token: t('Token'),
    account: t('Account'),
    channel: t('Channel'),
    group: t('Group'),
    provider: t('Provider'),
    endpoint: t('Endpoint'),
    status: t('Status'),
    mode: t('Mode'),
  };
  return headers[by];
}
