// The keys of a channel: what the upstream thinks of each, its last day, and what can be done with it alone.
import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { BoardChannel } from '#contract/channel-board.ts';
import type { ChannelHealth } from '#contract/channel-health.ts';
import type { Channel } from '#contract/channels.ts';
import { Card } from '../../../components/card.tsx';
import { ConfirmButton } from '../../../components/confirm-button.tsx';
import { ShortMoney } from '../../../components/money.tsx';
import { When } from '../../../components/when.tsx';
import { plural, t } from '../../../i18n/t.ts';
import { forget } from '../../../lib/lists.ts';
import { formatMilliseconds } from '../../../lib/format-time.ts';
import { useMinute } from '../../../lib/use-minute.ts';
import { notifyFailure } from '../../../lib/notify-failure.ts';
import { AddKeys } from './add-keys.tsx';
import { useChangeKeys, useTestChannel } from '../api.ts';
import { DayStrip } from '../board/day-strip.tsx';
import { formatShare } from '../format-share.ts';
import { keyName, keyStateLabel } from '../health/key-state-label.ts';
import { TestResult } from '../test-result.tsx';

interface KeysCardProps {
  channel: Channel;
  /** Its last day, as soon as it is read. */
  day: BoardChannel | null | undefined;
  live: ChannelHealth | undefined;
  mayChange: boolean;
}

export function KeysCard({ channel, day, live, mayChange }: KeysCardProps) {
  return (
    <Card
      title={t('Keys')}
      description={
        channel.keys.length === 0
          ? t('None: the upstream is called without a key')
          : t('They take turns. A disabled key is sent nothing new, and still answers for its videos')
      }
    >
      <Stack gap="lg">
        {channel.keys.map((key) => (
          <KeyLine key={key.id} channel={channel} keyId={key.id} day={day} live={live} mayChange={mayChange} />
        ))}
        {mayChange && <AddKeys channel={channel} />}
      </Stack>
    </Card>
  );
}

function KeyLine({ channel, keyId, day, live, mayChange }: KeysCardProps & { keyId: string }) {
  const now = useMinute();
  const index = channel.keys.findIndex(({ id }) => id === keyId);
  const key = channel.keys[index];
  const calls = day?.key_calls.find(({ id }) => id === keyId);
  const known = channel.health.keys.find(({ id }) => id === keyId);
  const seen = live?.keys.find(({ id }) => id === keyId) ?? known;
  if (key === undefined) return null;
  const name = keyName(key.hint, index);
  const isOff = key.status === 'disabled';
  const { color, text } = isOff ? { color: 'gray', text: t('disabled') } : keyStateLabel(seen?.state);
  const reason = isOff ? null : (seen?.reason ?? null);
  const error = calls?.last_error ?? null;
  return (
    <Stack gap={6} role="group" aria-label={t('Key {hint}', { hint: name })}>
      <Group justify="space-between" gap="xs">
        <Group gap={8}>
          <span className="mono">{name}</span>
          <Badge color={color} miw="max-content">
            {text}
          </Badge>
          {!isOff && seen?.state === 'rejected' && typeof known?.since === 'number' && <When at={known.since} />}
        </Group>
        {mayChange && <KeyActions channel={channel} keyId={keyId} isOff={isOff} hint={name} />}
      </Group>
      <Group gap="md">
        <DayStrip hours={calls?.hours ?? []} now={now} name={name} />
        <Text size="xs" c="dimmed">
          {calls === undefined || calls.calls === 0 ? (
            t('no calls in 24 hours')
          ) : (
            <>
              {plural(calls.calls, '{count} call', '{count} calls')}, {formatShare(calls.success_rate)}
              {calls.p95_ms !== null && `, p95 ${formatMilliseconds(calls.p95_ms)}`},{' '}
              <ShortMoney amount={calls.charged} /> {t('charged')}
            </>
          )}
        </Text>
      </Group>
      {reason !== null && (
        <Text size="xs" c="dimmed" className="long">
          {reason}
        </Text>
      )}
      {error !== null && reason === null && (
        <Text size="xs" c="dimmed" className="long">
          {t('Last error')}, <When at={error.at} />: {error.message}
        </Text>
      )}
    </Stack>
  );
}

function KeyActions({
  channel,
  keyId,
  isOff,
  hint,
}: {
  channel: Channel;
  keyId: string;
  isOff: boolean;
  hint: string;
}) {
  const keys = useChangeKeys(channel);
  const client = useQueryClient();
  const test = useTestChannel(channel.id);
  const [asked, setAsked] = useState(false);
  const failed = (error: unknown) => {
    notifyFailure(error);
    void forget(client, '/channels');
  };
  return (
    <>
      <Group gap={6}>
        <Button
          variant="default"
          size="compact-sm"
          loading={test.isPending}
          disabled={Object.keys(channel.models).length === 0}
          onClick={() => {
            setAsked(true);
            test.mutate({ key_id: keyId }, { onError: failed });
          }}
        >
          {t('Test')}
        </Button>
        <Button
          variant="default"
          size="compact-sm"
          loading={keys.busy}
          onClick={() => void keys.setStatus(keyId, isOff ? 'enabled' : 'disabled').catch(failed)}
        >
          {isOff ? t('Enable') : t('Disable')}
        </Button>
        {channel.keys.length > 1 && (
          <ConfirmButton
            label={t('Remove')}
            title={t('Remove this key')}
            question={t('{hint} is deleted and cannot be shown or brought back. The other keys go on.', { hint })}
            confirm={t('Remove')}
            button={{ color: 'red', variant: 'light', size: 'compact-sm' }}
            act={() => keys.remove(keyId)}
          />
        )}
      </Group>
      <div aria-live="polite" style={{ flexBasis: '100%' }}>
        {asked && test.data !== undefined && <TestResult result={test.data} />}
      </div>
    </>
  );
}
