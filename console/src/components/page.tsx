// The frame of every page: one heading, what it is for, what can be done, and the browser's title.
import { Box, Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { brandName } from '../lib/brand.ts';

interface PageProps {
  title: string;
  description?: ReactNode;
  /** Above the title: where one came from. */
  above?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

export function Page({ title, description, above, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · ${brandName}`;
  }, [title]);
  return (
    <Stack gap="lg">
      <Group justify="space-between" align="flex-end" gap="sm">
        <Box maw={720}>
          {above !== undefined && <Box mb={4}>{above}</Box>}
          <Title order={1} size="h2" className="long">
            {title}
          </Title>
          {description !== undefined && (
            <Text c="dimmed" size="sm" mt={4}>
              {description}
            </Text>
          )}
        </Box>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
}
