// The chart of spend by day: room for it at once, its library later.
import { Box, Skeleton } from '@mantine/core';
import { lazy, Suspense, type ComponentProps } from 'react';
import { t } from '../../i18n/t.ts';

const Chart = lazy(async () => ({ default: (await import('./charts.tsx')).SpendChart }));

export function SpendByDay(props: ComponentProps<typeof Chart>) {
  return (
    <Box mih={240} role="img" aria-label={t('Spend by day (UTC); the table below has the figures')}>
      <Suspense fallback={<Skeleton h={240} />}>
        <Chart {...props} />
      </Suspense>
    </Box>
  );
}
