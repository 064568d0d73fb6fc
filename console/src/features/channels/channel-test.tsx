// One real, cheap call to the channel, and what it really answered.
import { Button, Group, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Channel } from '#contract/channels.ts';
import { Card } from '../../components/card.tsx';
import { ErrorState, Notice } from '../../components/states.tsx';
import { When } from '../../components/when.tsx';
import { formatMilliseconds } from '../../lib/format-time.ts';
import { useTestChannel } from './api.ts';

export function ChannelTest({ channel }: { channel: Channel }) {
  const models = Object.keys(channel.models);
  const [model, setModel] = useState<string | null>(models[0] ?? null);
  const test = useTestChannel(channel.id);
  const { last_test: last } = channel.health;
  const shown = test.data ?? last ?? undefined;
  return (
    <Card title="Test" description="Makes one real, cheap call with the first key">
      <Stack>
        <Group align="flex-end" wrap="nowrap">
          <Select
            label="Model"
            flex={1}
            searchable
            allowDeselect={false}
            data={models}
            value={model}
            onChange={setModel}
          />
          <Button
            disabled={model === null}
            loading={test.isPending}
            onClick={() => model !== null && test.mutate(model)}
          >
            Send test
          </Button>
        </Group>
        <div aria-live="polite">
          {test.error !== null && <ErrorState error={test.error} />}
          {shown !== undefined && (
            <Notice color={shown.ok ? 'green' : 'red'}>
              <Text size="sm" fw={600}>
                {shown.ok ? 'It works' : 'It does not work'}
              </Text>
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                {shown.message}
              </Text>
              <Text size="xs" mt={4}>
                {shown.status === null ? 'no answer' : `status ${shown.status}`}, {formatMilliseconds(shown.latency_ms)}
                {test.data === undefined && last !== null && (
                  <>
                    , {last.model}, <When at={last.at} />
                  </>
                )}
              </Text>
            </Notice>
          )}
        </div>
      </Stack>
    </Card>
  );
}
