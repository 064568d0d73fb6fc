// The quiet page around sign-in and invites, under the operator's name.
import { Center, Paper, Stack, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { brandName } from '../../lib/brand.ts';
import { BrandMark } from '../app/brand-mark.tsx';

export function PortalFrame({ title, children }: { title: string; children: ReactNode }) {
  useEffect(() => {
    document.title = title === brandName ? title : `${title} · ${brandName}`;
  }, [title]);
  return (
    <Center mih="100vh" p="md" component="main">
      <Stack w="100%" maw={400} gap="lg">
        <Center>
          <BrandMark size={34} />
        </Center>
        <Paper p="xl" shadow="sm">
          <Title order={1} size="h3" mb="lg">
            {title}
          </Title>
          {children}
        </Paper>
      </Stack>
    </Center>
  );
}
