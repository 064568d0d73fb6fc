// What a page shows while it waits, when there is nothing, and when something went wrong.
import { Alert, Button, Center, Group, Loader, Paper, Skeleton, Stack, Text, ThemeIcon } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../i18n/t.ts';
import { ApiError, sentenceOf } from '../lib/api-error.ts';
import { useIsAway } from '../lib/reachable.ts';
import { Icon, type IconName } from './icon.tsx';

export function LoadingRows({ rows = 6 }: { rows?: number }) {
  return (
    <Stack gap="sm" role="status" aria-label={t('Loading')}>
      {Array.from({ length: rows }, (_, index) => (
        <Skeleton key={index} height={28} radius="sm" />
      ))}
    </Stack>
  );
}

export function LoadingPage() {
  return (
    <Center mih={240}>
      {useIsAway() ? (
        <EmptyState icon="refresh" title={t('The gateway does not answer')}>
          {t('It may be restarting. This page goes on by itself when it is back.')}
        </EmptyState>
      ) : (
        <Loader aria-label={t('Loading')} role="status" />
      )}
    </Center>
  );
}

export function ErrorState({ error, retry }: { error: unknown; retry?: (() => void) | undefined }) {
  return (
    <Alert
      color="red"
      variant="light"
      role="alert"
      icon={<Icon name="error" />}
      title={
        <Text c="var(--mantine-color-error)" component="span" fw={600} inherit>
          {t('That did not work')}
        </Text>
      }
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm" className="long">
          {sentenceOf(error)}
        </Text>
        {error instanceof ApiError && error.requestId !== null && (
          <Text size="xs" className="mono">
            {error.requestId}
          </Text>
        )}
        {retry !== undefined && (
          <Button variant="default" size="xs" onClick={retry}>
            {t('Try again')}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

interface EmptyProps {
  icon?: IconName;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}

export function EmptyState({ icon = 'empty', title, children, action }: EmptyProps) {
  return (
    <Center py={48} px="md">
      <Stack align="center" gap="xs" maw={440}>
        <ThemeIcon size={48} radius="xl" variant="light">
          <Icon name={icon} size={24} />
        </ThemeIcon>
        <Text fw={600}>{title}</Text>
        {children !== undefined && (
          <Text c="dimmed" size="sm" ta="center">
            {children}
          </Text>
        )}
        {action}
      </Stack>
    </Center>
  );
}

/** One thing that a page is about: waits, complains, or shows it. */
export function Shown<T>({
  query,
  children,
}: {
  query: { data: T | undefined; error: Error | null; refetch(): unknown };
  children: (data: T) => ReactNode;
}) {
  if (query.data !== undefined) return children(query.data);
  if (query.error !== null) return <ErrorState error={query.error} retry={() => void query.refetch()} />;
  return (
    <Paper>
      <LoadingRows />
    </Paper>
  );
}

export function Notice({ color, children }: { color: 'yellow' | 'blue' | 'green' | 'red'; children: ReactNode }) {
  return (
    <Alert color={color} variant="light" p="sm">
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <Icon name={color === 'green' ? 'check' : color === 'blue' ? 'info' : 'warning'} />
        <Text size="sm" component="div" className="long" style={{ flex: 1 }}>
          {children}
        </Text>
      </Group>
    </Alert>
  );
}
