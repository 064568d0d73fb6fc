// The columns of the list of tokens.
import { Badge, Group, Text } from '@mantine/core';
import type { Token } from '#contract/tokens.ts';
import { plural, t } from '../../i18n/t.ts';
import { StateBadge } from '../../components/badges.tsx';
import type { Column } from '../../components/data-table.tsx';
import { Money } from '../../components/money.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { When } from '../../components/when.tsx';
import type { Names } from '../../lib/names.ts';

export function tokenColumns(accounts: Names): Column<Token>[] {
  return [
    {
      header: t('Name'),
      sort: 'name',
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
      header: t('Account'),
      wide: true,
      render: (row) => (
        <PageLink to="/accounts/$id" params={{ id: row.account_id }} className="cut">
          {accounts.get(row.account_id) ?? row.account_id}
        </PageLink>
      ),
    },
    {
      header: t('State'),
      render: (row) => (
        <Group gap={6} wrap="nowrap">
          <StateBadge state={isOver(row) ? 'expired' : row.status} />
          {row.mode === 'test' && <StateBadge state="test" />}
        </Group>
      ),
    },
    { header: t('Scopes'), wide: true, render: (row) => <Scopes token={row} /> },
    { header: t('Spent'), sort: 'used', align: 'right', render: (row) => <Money amount={row.used} /> },
    {
      header: t('Quota'),
      align: 'right',
      wide: true,
      render: (row) => (row.quota === null ? '—' : <Money amount={row.quota} />),
    },
    { header: t('Created'), sort: 'created_at', wide: true, render: (row) => <When at={row.created_at} /> },
  ];
}

function isOver(token: Token): boolean {
  return token.expires_at !== null && token.expires_at * 1000 <= Date.now();
}

function Scopes({ token }: { token: Token }) {
  const { rpm, tpm, concurrency } = token.rate;
  const words = [
    token.models !== null && plural(token.models.length, '{count} model', '{count} models'),
    token.group !== null && token.group,
    token.ip_allow.length > 0 && plural(token.ip_allow.length, '{count} address', '{count} addresses'),
    token.origins.length > 0 && plural(token.origins.length, '{count} page', '{count} pages'),
    (rpm ?? tpm ?? concurrency) !== null && t('rate'),
    token.expires_at !== null && t('expiry'),
  ].filter((word) => word !== false);
  if (words.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('none')}
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
