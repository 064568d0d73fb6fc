// One real, cheap call to the channel, and what it really answered.
import { Button, Group, NativeSelect, Stack } from '@mantine/core';
import { useState } from 'react';
import type { Channel } from '#contract/channels.ts';
import { Card } from '../../../components/card.tsx';
import { ErrorState } from '../../../components/states.tsx';
import { When } from '../../../components/when.tsx';
import { t } from '../../../i18n/t.ts';
import { useTestChannel } from '../api.ts';
import { TestResult } from '../test-result.tsx';

export function ChannelTest({ channel }: { channel: Channel }) {
  const models = Object.keys(channel.models);
  const [model, setModel] = useState<string | null>(models[0] ?? null);
  const test = useTestChannel(channel.id);
  const { last_test: last } = channel.health;
  const shown = test.data ?? last ?? undefined;
  return (
    <Card title={t('Test')} description={t('Makes one real, cheap call with the first key')}>
      <Stack>
        <Group align="flex-end" wrap="nowrap">
          <NativeSelect
            label={t('Model')}
            flex={1}
            data={models}
            value={model ?? ''}
            onChange={(event) => setModel(event.currentTarget.value)}
          />
          <Button
            disabled={model === null}
            loading={test.isPending}
            onClick={() => model !== null && test.mutate({ model })}
          >
            {t('Send test')}
          </Button>
        </Group>
        <div aria-live="polite">
          {test.error !== null && <ErrorState error={test.error} />}
          {shown !== undefined && (
            <TestResult
              result={shown}
              when={
                test.data === undefined &&
                last !== null && (
                  <>
                    , {last.model}, <When at={last.at} />
                  </>
                )
              }
            />
          )}
        </div>
      </Stack>
    </Card>
  );
}
