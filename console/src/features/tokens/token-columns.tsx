// The columns of the list of tokens.
import { Badge, Group, Text } from '@mantine/core';
import type { Token } from '#contract/tokens.ts';
import { StateBadge } from '../../components/badges.tsx';
import type { Column } from '../../components/data-table.tsx';
import { Money } from '../../components/money.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { When } from '../../components/when.tsx';

export function tokenColumns(accounts: ReadonlyMap<string, string>): Column<Token>[] {
  return [
    {
      header: 'Name',
      render: (row) => (
        <>
          <PageLink to="/tokens/$id" params={{ id: row.id }} className="cut">
            {row.name}
          </PageLink>
          <Text size="xs" c="dimmed" className="mono">
            {row.key_hint}
          </Text>
        </>
      ),
    },
    {
      header: 'Account',
      wide: true,
      render: (row) => <span className="cut">{accounts.get(row.account_id) ?? row.account_id}</span>,
    },
    {
      header: 'State',
      render: (row) => (
        <Group gap={6} wrap="nowrap">
          <StateBadge state={isOver(row) ? 'expired' : row.status} />
          {row.mode === 'test' && <StateBadge state="test" />}
        </Group>
      ),
    },
    { header: 'Scopes', wide: true, render: (row) => <Scopes token={row} /> },
    { header: 'Spent', align: 'right', render: (row) => <Money amount={row.used} /> },
    {
      header: 'Quota',
      align: 'right',
      wide: true,
      render: (row) => (row.quota === null ? '—' : <Money amount={row.quota} />),
    },
    { header: 'Made', wide: true, render: (row) => <When at={row.created_at} /> },
  ];
}

function isOver(token: Token): boolean {
  return token.expires_at !== null && token.expires_at * 1000 <= Date.now();
}

function Scopes({ token }: { token: Token }) {
  const { rpm, tpm, concurrency } = token.rate;
  const words = [
    token.models !== null && `${token.models.length} model${token.models.length === 1 ? '' : 's'}`,
    token.group !== null && token.group,
    token.ip_allow.length > 0 && `${token.ip_allow.length} address${token.ip_allow.length === 1 ? '' : 'es'}`,
    token.origins.length > 0 && `${token.origins.length} page${token.origins.length === 1 ? '' : 's'}`,
    (rpm ?? tpm ?? concurrency) !== null && 'rate',
    token.expires_at !== null && 'expiry',
  ].filter((word) => word !== false);
  if (words.length === 0)
    return (
      <Text size="sm" c="dimmed">
        none
      </Text>
    );
  return (
    <Group gap={4}>
      {words.map((word) => (
        <Badge key={word} color="gray" maw={140}>
          {word}
        </Badge>
      ))}
    </Group>
  );
}
