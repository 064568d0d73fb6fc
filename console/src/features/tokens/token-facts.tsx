// What a token may do, spelled out.
import { Badge, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Token } from '#contract/tokens.ts';
import { t } from '../../i18n/t.ts';
import { StateBadge } from '../../components/badges.tsx';
import { Card } from '../../components/card.tsx';
import { CopyIcon } from '../../components/code-block.tsx';
import { Facts } from '../../components/facts.tsx';
import { Money } from '../../components/money.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { SpentBar } from '../../components/spent-bar.tsx';
import { When } from '../../components/when.tsx';
import { useAccountNames } from '../../lib/choices.ts';
import { rateWords } from '../../lib/limits.ts';
import { resetsEvery } from '../../lib/period-labels.ts';

export function TokenFacts({ token }: { token: Token }) {
  const accounts = useAccountNames();
  return (
    <Card title={t('Scopes')}>
      <Facts
        facts={[
          [
            t('State'),
            <Group gap={6} key="state">
              <StateBadge state={token.status} />
              <StateBadge state={token.mode} />
            </Group>,
          ],
          [
            t('Key'),
            <span className="mono" key="key">
              {token.key_hint}
            </span>,
          ],
          [
            t('Account'),
            <PageLink key="account" to="/accounts/$id" params={{ id: token.account_id }}>
              {accounts.get(token.account_id) ?? token.account_id}
            </PageLink>,
          ],
          [t('Models'), token.models === null ? t('Every model') : <Words words={token.models} />],
          [t('Group'), token.group ?? t("The account's")],
          [t('Addresses'), token.ip_allow.length === 0 ? t('Any') : <Words words={token.ip_allow} />],
          [t('Web pages'), token.origins.length === 0 ? t('Any') : <Words words={token.origins} />],
          [t('Rate'), rateWords(token.rate)],
          [t('Expires'), token.expires_at === null ? t('Never') : <When key="expires" at={token.expires_at} exact />],
          ...(token.quota === null
            ? []
            : [[t('Quota'), <Quota key="quota" token={token} quota={token.quota} />] as [string, ReactNode]]),
          [t('Spent in all'), <Money key="spent" amount={token.used} />],
          [t('Options'), optionWords(token)],
          [t('Held now'), <Money key="held" amount={token.held} />],
          [t('Created'), <When key="made" at={token.created_at} exact />],
          [
            t('Id'),
            <Group key="id" gap={4}>
              <span className="mono">{token.id}</span>
              <CopyIcon text={token.id} label={t('Copy the id')} />
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

function Quota({ token, quota }: { token: Token; quota: string }) {
  const label = t('Share of the quota spent');
  if (token.quota_period === null) return <SpentBar used={token.used} limit={quota} label={label} />;
  return (
    <Stack gap={4}>
      <SpentBar used={token.period_used} limit={quota} label={label} since={token.period_start} />
      <Text size="xs" c="dimmed">
        {token.period_start === 0
          ? t('{resets}, with the first call', { resets: resetsEvery(token.quota_period) })
          : resetsEvery(token.quota_period)}
      </Text>
    </Stack>
  );
}

function optionWords({ options: { fit_balance, strict, store_bodies } }: Token): string {
  const words = [
    fit_balance && t('fits answers to the balance'),
    strict && t('strict translation'),
    store_bodies !== 'off' && (store_bodies === 'all' ? t('keeps all bodies') : t('keeps bodies of failed requests')),
  ].filter((word) => word !== false);
  return words.length === 0 ? t('None') : words.join(', ');
}
