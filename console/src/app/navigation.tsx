// The way to the pages.
import { Box, Stack, Text } from '@mantine/core';
import { Link, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { Icon } from '../components/icon.tsx';
import { t } from '../i18n/t.ts';
import { sections } from './pages.ts';

/** The edge is faded. */
const MARGIN = 16;

export function Navigation({ onChoose }: { onChoose(): void }) {
  const list = useRef<HTMLDivElement>(null);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  useEffect(() => showActive(list.current), [path]);
  return (
    <Stack gap="sm" component="nav" aria-label={t('Main')} ref={list}>
      {sections.map(({ name, entries }) => (
        <Box key={name}>
          <Text size="xs" fw={600} c="dimmed" px={10} mb={4}>
            {name}
          </Text>
          {entries.map(({ to, label, icon }) => (
            <Link
              key={to}
              to={to}
              className="side-link"
              activeOptions={{ exact: to === '/', includeSearch: false }}
              onClick={onChoose}
            >
              <Icon name={icon} />
              {label}
            </Link>
          ))}
        </Box>
      ))}
    </Stack>
  );
}

/** On low screens the page that is shown may be below the edge of the list. */
function showActive(list: HTMLElement | null): void {
  const frame = list?.closest('.side-scroll')?.getBoundingClientRect();
  const active = list?.querySelector('[data-status="active"]')?.getBoundingClientRect();
  if (frame === undefined || active === undefined) return;
  const below = active.bottom + MARGIN - frame.bottom;
  if (below > 0) list?.closest('.side-scroll')?.scrollBy({ top: below });
}
