// The quiet page around sign-in and the change of a given password.
import { Box, Center, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { t } from '../../i18n/t.ts';

export function SignInFrame({ title, children }: { title: string; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Tollgate`;
  }, [title]);
  return (
    <Center mih="100vh" p="md" component="main">
      <Stack w="100%" maw={400} gap="lg">
        <Group gap="sm" justify="center">
          <img src="./icon.svg" alt="" width={32} height={32} />
          <Text fw={700} size="xl">
            Tollgate
          </Text>
        </Group>
        <Paper p="xl" shadow="sm">
          <Title order={1} size="h3" mb="lg">
            {title}
          </Title>
          {children}
        </Paper>
        <Box ta="center">
          <Text size="xs" c="dimmed">
            {t('Operator console')}
          </Text>
        </Box>
      </Stack>
    </Center>
  );
}
