// Says that the gateway does not answer, above a page that keeps what it shows. When it is back, everything is read again.
import { Group, Loader, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { t } from '../i18n/t.ts';
import { useIsAway } from '../lib/reachable.ts';

export function UnreachableBanner() {
  const isAway = useIsAway();
  const client = useQueryClient();
  useEffect(() => {
    // Read again at its end, and not when the page was opened.
    if (isAway) return () => void client.invalidateQueries();
    return undefined;
  }, [isAway, client]);
  return (
    <div role="status">
      {isAway && (
        <Group className="away" gap="sm" wrap="nowrap">
          <Loader size={14} color="yellow" aria-hidden />
          <Text size="sm">
            {t('The gateway does not answer. It may be restarting; this page goes on by itself when it is back.')}
          </Text>
        </Group>
      )}
    </div>
  );
}
