// What a token may do, spelled out.
import { Badge, Group, Progress, Stack, Text } from '@mantine/core';
import type { Token } from '#contract/tokens.ts';
import { StateBadge } from '../../components/badges.tsx';
import { Card } from '../../components/card.tsx';
import { CopyIcon } from '../../components/code-block.tsx';
import { Facts } from '../../components/facts.tsx';
import { Money } from '../../components/money.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { When } from '../../components/when.tsx';
import { useAccountNames } from '../../lib/choices.ts';
import { formatCount } from '../../lib/format-money.ts';

export function TokenFacts({ token }: { token: Token }) {
  const accounts = useAccountNames();
  const { rpm, tpm, concurrency } = token.rate;
  const limit = (value: number | null, unit: string) => value !== null && `${formatCount(value)} ${unit}`;
  const limits = [
    limit(rpm, 'requests a minute'),
    limit(tpm, 'tokens a minute'),
    limit(concurrency, 'at the same time'),
  ];
  return (
    <Card title="Scopes">
      <Facts
        facts={[
          [
            'State',
            <Group gap={6} key="state">
              <StateBadge state={token.status} />
              <StateBadge state={token.mode} />
            </Group>,
          ],
          [
            'Key',
            <span className="mono" key="key">
              {token.key_hint}
            </span>,
          ],
          [
            'Account',
            <PageLink key="account" to="/accounts/$id" params={{ id: token.account_id }}>
              {accounts.get(token.account_id) ?? token.account_id}
            </PageLink>,
          ],
          ['Models', token.models === null ? 'Every model' : <Words words={token.models} />],
          ['Group', token.group ?? "The account's"],
          ['Addresses', token.ip_allow.length === 0 ? 'Any' : <Words words={token.ip_allow} />],
          ['Rate', limits.filter((text) => text !== false).join(', ') || 'No limit'],
          ['Expires', token.expires_at === null ? 'Never' : <When key="expires" at={token.expires_at} exact />],
          ['Spent', <Spent key="spent" token={token} />],
          ['Held now', <Money key="held" amount={token.held} />],
          ['Made', <When key="made" at={token.created_at} exact />],
          [
            'Id',
            <Group key="id" gap={4}>
              <span className="mono">{token.id}</span>
              <CopyIcon text={token.id} label="Copy the id" />
            </Group>,
          ],
        ]}
      />
    </Card>
  );
}

function Words({ words }: { words: string[] }) {
  return (
    <Group gap={4}>
      {words.map((word) => (
        <Badge key={word} color="gray" className="mono">
          {word}
        </Badge>
      ))}
    </Group>
  );
}

function Spent({ token }: { token: Token }) {
  if (token.quota === null) return <Money amount={token.used} />;
  const share = Number(token.quota) === 0 ? 100 : (Number(token.used) / Number(token.quota)) * 100;
  return (
    <Stack gap={4} maw={280}>
      <Text size="sm">
        <Money amount={token.used} /> of <Money amount={token.quota} />
      </Text>
      <Progress value={share} color={share > 90 ? 'red' : 'iris'} aria-label="Share of the quota spent" />
    </Stack>
  );
}
