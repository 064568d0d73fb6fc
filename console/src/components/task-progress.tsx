// How far a video is.
import { Group, Progress, Text } from '@mantine/core';
import { t } from '../i18n/t.ts';

interface TaskProgressProps {
  /** Of 100. */
  progress: number;
  state: 'live' | 'done' | 'failed';
}

const colors = { live: 'iris', done: 'green', failed: 'red' } as const;

export function TaskProgress({ progress, state }: TaskProgressProps) {
  return (
    <Group gap="xs" wrap="nowrap" miw={120}>
      <Progress
        value={progress}
        color={colors[state]}
        animated={state === 'live'}
        flex={1}
        aria-label={t('Progress of the video')}
      />
      <Text size="xs" className="numeric" w={36} ta="right">
        {progress}%
      </Text>
    </Group>
  );
}
