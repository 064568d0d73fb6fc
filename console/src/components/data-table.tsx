// Tables of the console: columns as data, the states of a list, and keyset paging underneath.
import { Box, Button, Group, Paper, Table, Text, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Pages } from '../lib/lists.ts';
import { Icon } from './icon.tsx';
import { ErrorState, LoadingRows } from './states.tsx';

export interface Column<Row> {
  header: string;
  /** For columns of buttons: the header is only read aloud. */
  hideHeader?: boolean;
  align?: 'right';
  /** Left out on narrow screens. */
  wide?: boolean;
  render(row: Row): ReactNode;
}

interface DataTableProps<Row> {
  label: string;
  columns: Column<Row>[];
  rows: Row[];
  keyOf(row: Row): string;
}

export function PlainTable<Row>({ label, columns, rows, keyOf }: DataTableProps<Row>) {
  return (
    <Box className="table-frame" tabIndex={0} role="region" aria-label={label}>
      <Table aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Table.Th key={column.header} ta={column.align} visibleFrom={column.wide === true ? 'sm' : undefined}>
                {column.hideHeader === true ? <VisuallyHidden>{column.header}</VisuallyHidden> : column.header}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={keyOf(row)}>
              {columns.map((column) => (
                <Table.Td
                  key={column.header}
                  ta={column.align}
                  className={column.align === 'right' ? 'numeric' : undefined}
                  visibleFrom={column.wide === true ? 'sm' : undefined}
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

interface ListTableProps<Row> extends Omit<DataTableProps<Row>, 'rows'> {
  pages: Pages<Row>;
  empty: ReactNode;
  /** Above the table, inside its frame. */
  tools?: ReactNode;
}

export function ListTable<Row>({ pages, empty, tools, ...table }: ListTableProps<Row>) {
  return (
    <Paper p={0}>
      {tools !== undefined && <Box p="md">{tools}</Box>}
      <ListBody pages={pages} empty={empty} {...table} />
      <Pager pages={pages} />
    </Paper>
  );
}

function ListBody<Row>({ pages, empty, ...table }: Omit<ListTableProps<Row>, 'tools'>) {
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

function Pager({ pages }: { pages: Pages<unknown> }) {
  if (pages.next === undefined && pages.previous === undefined) return null;
  return (
    <Group justify="space-between" p="md" component="nav" aria-label="Pages">
      <Text size="sm" c="dimmed" aria-live="polite">
        Page {pages.page}
      </Text>
      <Group gap="xs">
        <Button
          variant="default"
          size="xs"
          disabled={pages.previous === undefined}
          onClick={pages.previous}
          leftSection={<Icon name="left" size={14} />}
        >
          Previous
        </Button>
        <Button
          variant="default"
          size="xs"
          disabled={pages.next === undefined}
          onClick={pages.next}
          rightSection={<Icon name="right" size={14} />}
        >
          Next
        </Button>
      </Group>
    </Group>
  );
}
