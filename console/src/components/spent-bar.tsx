// How much of a quota or a budget is used.
import { Progress, Stack, Text } from '@mantine/core';
import { rich } from '../i18n/rich.ts';
import { Money } from './money.tsx';
import { When } from './when.tsx';

interface SpentBarProps {
  used: string;
  limit: string;
  label: string;
  /** Since when it counts, where it starts again. */
  since?: number | undefined;
}

export function SpentBar({ used, limit, label, since }: SpentBarProps) {
  const share = Number(limit) === 0 ? 100 : (Number(used) / Number(limit)) * 100;
  return (
    <Stack gap={4} maw={280}>
      <Text size="sm">
        {since !== undefined && since > 0
          ? rich('{used} of {limit} since {time}', {
              used: <Money amount={used} />,
              limit: <Money amount={limit} />,
              time: <When at={since} exact />,
            })
          : rich('{used} of {limit}', { used: <Money amount={used} />, limit: <Money amount={limit} /> })}
      </Text>
      <Progress value={share} color={share > 90 ? 'red' : 'iris'} aria-label={label} />
    </Stack>
  );
}
