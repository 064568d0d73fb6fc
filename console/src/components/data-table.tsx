// Tables of the console: columns as data, the states of a list, and keyset paging underneath. On phones a row is a card.
import { Box, Button, Checkbox, Group, Paper, Table, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { lazy, type ReactNode, Suspense, useRef } from 'react';
import { t } from '../i18n/t.ts';
import type { Pages } from '../lib/lists.ts';
import { loadPart } from '../lib/load-part.ts';
import type { RowSelection } from '../lib/use-selection.ts';
import { useRowKeys } from '../lib/use-row-keys.ts';
import { useSelection } from '../lib/use-selection.ts';
import type { BulkAction, BulkBar as LoadedBulkBar } from './bulk-bar.tsx';
import { Icon } from './icon.tsx';
import { ErrorState, LoadingRows } from './states.tsx';

/** Needed once a row is chosen. */
const BulkBar = lazy(async () => ({
  default: (await loadPart(() => import('./bulk-bar.tsx'))).BulkBar,
})) as unknown as typeof LoadedBulkBar;

export interface Column<Row> {
  header: string;
  /** For columns of buttons: the header is only read aloud. */
  hideHeader?: boolean;
  align?: 'right';
  /** Of less weight: last on a card. */
  wide?: boolean;
  /** Name of the column in the list's `sort`. */
  sort?: string;
  render(row: Row): ReactNode;
}

/** The order of a list: a column's `sort`, with a minus sign downwards; undefined = newest first. */
export interface Sorted {
  by: string | undefined;
  onChange(by: string | undefined): void;
}

interface DataTableProps<Row> {
  label: string;
  columns: Column<Row>[];
  rows: Row[];
  keyOf(row: Row): string;
  sorted?: Sorted | undefined;
  selection?: RowSelection<Row> | undefined;
  /** Rows that appear are marked for a moment. */
  showsNew?: boolean;
}

export function PlainTable<Row>({
  label,
  columns,
  rows,
  keyOf,
  sorted,
  selection,
  showsNew = false,
}: DataTableProps<Row>) {
  return (
    <Box className="table-frame" tabIndex={0} role="region" aria-label={label}>
      <Table aria-label={label} className={showsNew ? 'cards tail' : 'cards'} role="table">
        <Table.Thead role="rowgroup">
          <Table.Tr role="row">
            {selection !== undefined && (
              <Table.Th w={36} role="columnheader">
                <Checkbox
                  size="xs"
                  aria-label={t('Select all on this page')}
                  checked={selection.rows.length > 0 && selection.rows.length === rows.length}
                  indeterminate={selection.rows.length > 0 && selection.rows.length < rows.length}
                  onChange={(event) => selection.setAll(event.currentTarget.checked)}
                />
              </Table.Th>
            )}
            {columns.map((column) => (
              <HeaderCell key={column.header} column={column} sorted={sorted} />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody role="rowgroup">
          {rows.map((row) => (
            <Table.Tr key={keyOf(row)} role="row" tabIndex={-1} data-row data-chosen={selection?.has(row) || undefined}>
              {selection !== undefined && (
                <Table.Td role="cell" className="card-check">
                  <Checkbox
                    size="xs"
                    aria-label={t('Select {name}', { name: keyOf(row) })}
                    checked={selection.has(row)}
                    onChange={() => selection.toggle(row)}
                  />
                </Table.Td>
              )}
              {columns.map((column) => (
                <Table.Td
                  key={column.header}
                  role="cell"
                  ta={column.align}
                  data-label={column.hideHeader === true ? undefined : column.header}
                  className={column.align === 'right' ? 'numeric' : undefined}
                >
                  {column.render(row)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Box>
  );
}

function HeaderCell<Row>({ column, sorted }: { column: Column<Row>; sorted: Sorted | undefined }) {
  const { sort } = column;
  if (sort === undefined || sorted === undefined) {
    return (
      <Table.Th ta={column.align} role="columnheader">
        {column.hideHeader === true ? <VisuallyHidden>{column.header}</VisuallyHidden> : column.header}
      </Table.Th>
    );
  }
  const state = sorted.by === sort ? 'ascending' : sorted.by === `-${sort}` ? 'descending' : 'none';
  /** Up, down, and back to newest first. */
  const next = { none: `-${sort}`, descending: sort, ascending: undefined }[state];
  return (
    <Table.Th ta={column.align} role="columnheader" aria-sort={state}>
      <UnstyledButton className="sort-button" onClick={() => sorted.onChange(next)} data-sorted={state}>
        {column.header}
        <Icon name={state === 'ascending' ? 'up' : 'down'} size={12} />
      </UnstyledButton>
    </Table.Th>
  );
}

interface ListTableProps<Row> extends Omit<DataTableProps<Row>, 'rows' | 'selection'> {
  pages: Pages<Row>;
  empty: ReactNode;
  /** Above the table, inside its frame. */
  tools?: ReactNode;
  /** What can be done to several rows at once; without it no row can be chosen. */
  bulk?: BulkAction<Row>[] | undefined;
}

export function ListTable<Row>({ pages, empty, tools, bulk = [], ...table }: ListTableProps<Row>) {
  const frame = useRef<HTMLDivElement>(null);
  const selection = useSelection(pages.rows ?? [], table.keyOf);
  useRowKeys(frame);
  return (
    <Paper p={0} ref={frame}>
      {tools !== undefined && <Box p="md">{tools}</Box>}
      {bulk.length > 0 && selection.rows.length > 0 && (
        <Suspense>
          <BulkBar actions={bulk} selection={selection} />
        </Suspense>
      )}
      <ListBody pages={pages} empty={empty} {...table} selection={bulk.length > 0 ? selection : undefined} />
      <Pager pages={pages} toTop={() => frame.current?.scrollIntoView({ block: 'start' })} />
    </Paper>
  );
}

interface ListBodyProps<Row> extends Omit<DataTableProps<Row>, 'rows'> {
  pages: Pages<Row>;
  empty: ReactNode;
}

function ListBody<Row>({ pages, empty, ...table }: ListBodyProps<Row>) {
  if (pages.rows === undefined) {
    return (
      <Box p="md">
        {pages.error === null ? <LoadingRows /> : <ErrorState error={pages.error} retry={pages.retry} />}
      </Box>
    );
  }
  if (pages.rows.length === 0) return empty;
  return (
    <div className={pages.turning ? 'turning' : undefined} aria-busy={pages.turning}>
      <PlainTable {...table} rows={pages.rows} />
    </div>
  );
}

function Pager({ pages, toTop }: { pages: Pages<unknown>; toTop(): void }) {
  if (pages.next === undefined && pages.previous === undefined) return null;
  const turn = (go: (() => void) | undefined) => () => {
    go?.();
    toTop();
  };
  return (
    <Group justify="space-between" p="md" component="nav" aria-label={t('Pages')}>
      <Text size="sm" c="dimmed" aria-live="polite">
        {t('Page {page}', { page: pages.page })}
      </Text>
      <Group gap="xs">
        <Button
          variant="default"
          size="xs"
          disabled={pages.previous === undefined}
          onClick={turn(pages.previous)}
          leftSection={<Icon name="left" size={14} />}
        >
          {t('Previous')}
        </Button>
        <Button
          variant="default"
          size="xs"
          disabled={pages.next === undefined}
          onClick={turn(pages.next)}
          rightSection={<Icon name="right" size={14} />}
        >
          {t('Next')}
        </Button>
      </Group>
    </Group>
  );
}
