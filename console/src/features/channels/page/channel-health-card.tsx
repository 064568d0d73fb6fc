// What is remembered of a channel: its calls of the last day, its last error and its last test.
import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Channel } from '#contract/channels.ts';
import { Card } from '../../../components/card.tsx';
import { Facts } from '../../../components/facts.tsx';
import { Amount } from '../../../components/amount.tsx';
import { When } from '../../../components/when.tsx';
import { plural, t } from '../../../i18n/t.ts';
import { formatMilliseconds } from '../../../lib/format-time.ts';
import { useCurrency } from '../../../lib/session.ts';
import { formatShare } from '../format-share.ts';

interface ChannelHealthCardProps {
  health: Channel['health'];
  charged: string | undefined;
  children: ReactNode;
}

export function ChannelHealthCard({ health, charged, children }: ChannelHealthCardProps) {
  const { last_error: error, last_test: test } = health;
  const currency = useCurrency();
  return (
    <Card title={t('Last 24 hours')}>
      {children}
      <div style={{ height: 16 }} />
      <Facts
        facts={[
          [
            t('Answered'),
            plural(health.calls, '{share} of {count} call', '{share} of {count} calls', {
              share: formatShare(health.success_rate),
            }),
          ],
          [t('95 of 100 within'), health.p95_ms === null ? t('not known') : formatMilliseconds(health.p95_ms)],
          ...(charged === undefined
            ? []
            : [[t('Charged'), <Amount key="charged" amount={charged} currency={currency} />] as [string, ReactNode]]),
          [
            t('Last answer'),
            health.last_success_at === null ? t('none') : <When key="answer" at={health.last_success_at} />,
          ],
          [
            t('Last error'),
            error === null ? (
              t('none')
            ) : (
              <LastEvent key="error" at={error.at} head={error.class} message={error.message} />
            ),
          ],
          [
            t('Last test'),
            test === null ? (
              t('none')
            ) : (
              <LastEvent
                key="test"
                at={test.at}
                head={`${test.ok ? t('works') : t('does not work')}, ${test.model}, ${formatMilliseconds(test.latency_ms)}`}
              />
            ),
          ],
        ]}
      />
    </Card>
  );
}

function LastEvent({ at, head, message = '' }: { at: number; head: string; message?: string }) {
  return (
    <Stack gap={2}>
      <span>
        {head}, <When at={at} />
      </span>
      {message !== '' && (
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {message}
        </Text>
      )}
    </Stack>
  );
}
