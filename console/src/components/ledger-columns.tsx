// The columns of money: entries one by one, or what each request came to, on the ledger and on an account's page.
import { Group, Text } from '@mantine/core';
import type { LedgerEntry, LedgerFold } from '#contract/ledger.ts';
import { t } from '../i18n/t.ts';
import type { Names } from '../lib/names.ts';
import { StateBadge } from './badges.tsx';
import type { Column } from './data-table.tsx';
import { LedgerCause } from './ledger-cause.tsx';
import { Money } from './money.tsx';
import { PageLink } from './page-link.tsx';
import { SignedMoney } from './signed-money.tsx';
import { When } from './when.tsx';

/** Without names there is no column of the account. */
function firstColumns<Row extends LedgerEntry | LedgerFold>(names: Names | undefined): Column<Row>[] {
  const account: Column<Row> = {
    header: t('Account'),
    wide: true,
    render: (row) => (
      <PageLink to="/accounts/$id" params={{ id: row.account_id }} className="cut">
        {names?.get(row.account_id) ?? row.account_id}
      </PageLink>
    ),
  };
  return [
    { header: t('When'), render: (row) => <When at={row.created_at} exact /> },
    {
      header: t('Kind'),
      render: (row) => (
        <Group gap={6} wrap="nowrap">
          <StateBadge state={row.kind} />
          {row.mode === 'test' && <StateBadge state="test" />}
        </Group>
      ),
    },
    ...(names === undefined ? [] : [account]),
    { header: t('For'), wide: true, render: (row) => <LedgerCause entry={row} /> },
  ];
}

export function ledgerColumns(names: Names | undefined): Column<LedgerEntry>[] {
  return [
    ...firstColumns<LedgerEntry>(names),
    { header: t('Amount'), align: 'right', render: (row) => <EntryAmount entry={row} /> },
    {
      header: t('Balance after'),
      align: 'right',
      wide: true,
      render: (row) => <Money amount={row.balance_after} />,
    },
  ];
}

/** A hold takes from the balance and a release gives back; a settle is paid out of the hold. */
function EntryAmount({ entry: { kind, amount } }: { entry: LedgerEntry }) {
  if (kind === 'settle')
    return (
      <Text component="span" size="sm" c="dimmed" title={t('Paid out of the hold')}>
        <Money amount={amount} />
      </Text>
    );
  return <SignedMoney amount={kind === 'hold' && Number(amount) !== 0 ? `-${amount}` : amount} />;
}

export function foldColumns(names: Names | undefined): Column<LedgerFold>[] {
  return [
    ...firstColumns<LedgerFold>(names),
    { header: t('Amount'), align: 'right', render: (row) => <SignedMoney amount={row.amount} /> },
    {
      header: t('Held'),
      align: 'right',
      wide: true,
      render: (row) => (row.held === null ? '—' : <Money amount={row.held} />),
    },
    {
      header: t('Balance after'),
      align: 'right',
      wide: true,
      render: (row) => <Money amount={row.balance_after} />,
    },
  ];
}
