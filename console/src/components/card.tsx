// A titled part of a page.
import { Box, Group, Paper, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface CardProps {
  title: string;
  description?: ReactNode;
  actions?: ReactNode;
  /** Contents that bring their own edges, such as tables. */
  flush?: boolean;
  children: ReactNode;
}

export function Card({ title, description, actions, flush = false, children }: CardProps) {
  return (
    <Paper p={0} component="section" aria-label={title}>
      <Group justify="space-between" px="lg" pt="md" pb={flush ? 'sm' : 0} align="flex-start">
        <Box>
          <Title order={2} size="h5">
            {title}
          </Title>
          {description !== undefined && (
            <Text size="sm" c="dimmed" mt={2}>
              {description}
            </Text>
          )}
        </Box>
        {actions}
      </Group>
      <Box p={flush ? 0 : 'lg'} pt={flush ? 0 : 'md'} className={flush ? 'flush' : undefined}>
        {children}
      </Box>
    </Paper>
  );
}
