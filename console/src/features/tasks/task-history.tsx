// What happened to a task, in order, with the time from one state to the next.
import { Text, Timeline } from '@mantine/core';
import type { Task } from '#contract/tasks.ts';
import { t } from '../../i18n/t.ts';
import { When } from '../../components/when.tsx';
import { formatMilliseconds } from '../../lib/format-time.ts';
import { stateLabel } from '../../lib/state-label.ts';

export function TaskHistory({ task: { history } }: { task: Task }) {
  // Steps that callers do not see carry the same name: the first of a row tells when it began.
  const steps = history.filter(({ status }, index) => status !== history[index - 1]?.status);
  return (
    <Timeline active={steps.length - 1} bulletSize={14} lineWidth={2} role="list" aria-label={t('State history')}>
      {steps.map(({ status, at }, index) => (
        <Timeline.Item key={`${status} ${at}`} title={stateLabel(status)} role="listitem" fz="sm">
          <Text size="sm" c="dimmed">
            <When at={at} exact />
            {index > 0 &&
              ` ${t('(after {time})', { time: formatMilliseconds((at - (steps[index - 1]?.at ?? at)) * 1000) })}`}
          </Text>
        </Timeline.Item>
      ))}
    </Timeline>
  );
}
