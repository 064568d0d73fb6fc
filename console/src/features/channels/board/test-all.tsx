// Tests every enabled channel, a few at a time, and names those that do not work.
import { Button, Progress, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { Channel } from '#contract/channels.ts';
import { Icon } from '../../../components/icon.tsx';
import { PageLink } from '../../../components/page-link.tsx';
import { Notice } from '../../../components/states.tsx';
import { known, plural, t } from '../../../i18n/t.ts';
import { sentenceOf } from '../../../lib/api-error.ts';
import { allChannels } from '../../../lib/choices.ts';
import { forget } from '../../../lib/lists.ts';
import { testChannel } from '../api.ts';

interface Failed {
  channel: Channel;
  reason: string;
}

export interface TestRun {
  all: number;
  done: number;
  failed: Failed[];
}

const AT_ONCE = 4;

export function useTestAll() {
  const client = useQueryClient();
  const [run, setRun] = useState<TestRun>();
  const running = useRef(false);
  const start = async () => {
    if (running.current) return;
    running.current = true;
    try {
      const channels = (await client.fetchQuery({ ...allChannels, staleTime: 0 })).filter(isTested);
      let state: TestRun = { all: channels.length, done: 0, failed: [] };
      setRun(state);
      const waiting = [...channels];
      const work = async (): Promise<void> => {
        for (let channel = waiting.shift(); channel !== undefined; channel = waiting.shift()) {
          const reason = await failureOf(channel);
          const failed = reason === undefined ? state.failed : [...state.failed, { channel, reason }];
          state = { ...state, done: state.done + 1, failed };
          setRun(state);
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
    } finally {
      running.current = false;
      await forget(client, '/channels', '/channel-board', '/channel-health');
    }
  };
  const isRunning = run !== undefined && run.done < run.all;
  return { run, isRunning, start: () => void start() };
}

function isTested({ status, models }: Channel): boolean {
  return status === 'enabled' && Object.keys(models).length > 0;
}

/** undefined = it works. */
async function failureOf({ id }: Channel): Promise<string | undefined> {
  try {
    const { ok, message } = await testChannel(id, {});
    return ok ? undefined : known(message);
  } catch (error) {
    return sentenceOf(error);
  }
}

export function TestAllButton({ isRunning, start }: { isRunning: boolean; start(): void }) {
  return (
    <Button variant="default" leftSection={<Icon name="bolt" size={16} />} loading={isRunning} onClick={start}>
      {t('Test all')}
    </Button>
  );
}

export function TestAllResult({ run, isRunning }: { run: TestRun | undefined; isRunning: boolean }) {
  if (run === undefined) return null;
  const { all, done, failed } = run;
  return (
    <Notice color={isRunning ? 'blue' : failed.length === 0 ? 'green' : 'red'}>
      <Stack gap={6} aria-live="polite">
        <Text size="sm" fw={600}>
          {isRunning
            ? t('Tested {done} of {all}', { done, all })
            : failed.length === 0
              ? plural(all, '{count} channel was tested and works', '{count} channels were tested, and all work')
              : t('{failed} of {all} channels do not work', { failed: failed.length, all })}
        </Text>
        {isRunning && <Progress value={(100 * done) / Math.max(1, all)} aria-label={t('Tests')} />}
        {failed.map(({ channel, reason }) => (
          <Text key={channel.id} size="sm" className="long">
            <PageLink to="/channels/$id" params={{ id: channel.id }}>
              {channel.name}
            </PageLink>
            : {reason}
          </Text>
        ))}
      </Stack>
    </Notice>
  );
}
