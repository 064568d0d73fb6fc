// The columns of money entries, on the ledger and on an account's page.
import { Group, Text } from '@mantine/core';
import type { LedgerEntry } from '#contract/ledger.ts';
import { StateBadge } from './badges.tsx';
import type { Column } from './data-table.tsx';
import { Money } from './money.tsx';
import { PageLink } from './page-link.tsx';
import { When } from './when.tsx';

export function ledgerColumns(accounts: ReadonlyMap<string, string> | undefined): Column<LedgerEntry>[] {
  const account: Column<LedgerEntry> = {
    header: 'Account',
    wide: true,
    render: (row) => (
      <PageLink to="/accounts/$id" params={{ id: row.account_id }} className="cut">
        {accounts?.get(row.account_id) ?? row.account_id}
      </PageLink>
    ),
  };
  return [
    { header: 'When', render: (row) => <When at={row.created_at} exact /> },
    {
      header: 'Kind',
      render: (row) => (
        <Group gap={6} wrap="nowrap">
          <StateBadge state={row.kind} />
          {row.mode === 'test' && <StateBadge state="test" />}
        </Group>
      ),
    },
    ...(accounts === undefined ? [] : [account]),
    { header: 'For', wide: true, render: (row) => <Cause entry={row} /> },
    { header: 'Amount', align: 'right', render: (row) => <Money amount={row.amount} /> },
    { header: 'Balance after', align: 'right', wide: true, render: (row) => <Money amount={row.balance_after} /> },
  ];
}

function Cause({ entry }: { entry: LedgerEntry }) {
  if (entry.request_id !== null) {
    return (
      <PageLink to="/requests/$id" params={{ id: entry.request_id }} className="mono cut">
        {entry.request_id}
      </PageLink>
    );
  }
  if (entry.task_id !== null) {
    return (
      <PageLink to="/tasks/$id" params={{ id: entry.task_id }} className="mono cut">
        {entry.task_id}
      </PageLink>
    );
  }
  return (
    <Text size="sm" className="cut" component="span" title={entry.note ?? undefined}>
      {entry.note ?? 'no note'}
      {entry.author !== null && ` (${entry.author})`}
    </Text>
  );
}
