// The frame around every page: navigation at the side, or behind a button on small screens.
import { AppShell, Box, Burger, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, Outlet } from '@tanstack/react-router';
import { t } from '../i18n/t.ts';
import { UnreachableBanner } from '../components/unreachable-banner.tsx';
import { Navigation } from './navigation.tsx';
import { OperatorMenu } from './operator-menu.tsx';
import { PaletteButton } from './palette-button.tsx';

export function Layout() {
  const [opened, { toggle, close }] = useDisclosure(false);
  return (
    <>
      <a className="skip-link" href={`${location.pathname}#content`} onClick={focusContent}>
        {t('Skip to the content')}
      </a>
      <AppShell
        header={{ height: { base: 52, sm: 0 } }}
        navbar={{ width: 236, breakpoint: 'sm', collapsed: { mobile: !opened } }}
        padding={{ base: 'md', sm: 'xl' }}
      >
        <AppShell.Header hiddenFrom="sm">
          <Group h="100%" px="md" gap="sm">
            <Burger opened={opened} onClick={toggle} size="sm" aria-label={t('Navigation')} aria-expanded={opened} />
            <Brand />
            <Box ml="auto">
              <PaletteButton isSmall listens={false} />
            </Box>
          </Group>
        </AppShell.Header>
        <AppShell.Navbar p="sm" className="side">
          <Box visibleFrom="sm" px={10} py="xs" mb="sm">
            <Brand />
          </Box>
          <Box mb="sm">
            <PaletteButton listens />
          </Box>
          <AppShell.Section grow className="side-scroll">
            <Navigation onChoose={close} />
          </AppShell.Section>
          <AppShell.Section>
            <OperatorMenu />
          </AppShell.Section>
        </AppShell.Navbar>
        <AppShell.Main id="content" tabIndex={-1}>
          <Box maw={1240} mx="auto">
            <UnreachableBanner />
            <Outlet />
          </Box>
        </AppShell.Main>
      </AppShell>
    </>
  );
}

function Brand() {
  return (
    <Link to="/" style={{ textDecoration: 'none', color: 'inherit' }}>
      <Group gap={10}>
        <img src="./icon.svg" alt="" width={26} height={26} />
        <Text fw={700}>Tollgate</Text>
      </Group>
    </Link>
  );
}

/** By hand, because the page's base would turn the fragment into another address. */
function focusContent(event: { preventDefault(): void }): void {
  event.preventDefault();
  document.getElementById('content')?.focus();
}
