// The frame around every page of the portal: the operator's name, navigation at the side, or behind a button on small screens.
import { AppShell, Box, Burger, Group, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, Outlet } from '@tanstack/react-router';
import { t } from '../../i18n/t.ts';
import { Icon, type IconName } from '../../components/icon.tsx';
import { BrandMark } from './brand-mark.tsx';
import { MemberMenu } from './member-menu.tsx';

const pages: { to: string; label: string; icon: IconName }[] = [
  { to: '/', label: t('Overview'), icon: 'overview' },
  { to: '/usage', label: t('Usage'), icon: 'chart' },
  { to: '/tokens', label: t('Tokens'), icon: 'tokens' },
  { to: '/requests', label: t('Requests'), icon: 'requests' },
  { to: '/tasks', label: t('Video tasks'), icon: 'video' },
  { to: '/statements', label: t('Statements'), icon: 'ledger' },
  { to: '/settings', label: t('Settings'), icon: 'settings' },
];

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
          <Group h="100%" px="md" gap="sm" wrap="nowrap">
            <Burger opened={opened} onClick={toggle} size="sm" aria-label={t('Navigation')} aria-expanded={opened} />
            <Home />
          </Group>
        </AppShell.Header>
        <AppShell.Navbar p="sm" className="side">
          <Box visibleFrom="sm" px={10} py="xs" mb="sm">
            <Home />
          </Box>
          <AppShell.Section grow className="side-scroll">
            <Stack gap={2} component="nav" aria-label={t('Main')}>
              {pages.map(({ to, label, icon }) => (
                <Link
                  key={to}
                  to={to}
                  className="side-link"
                  activeOptions={{ exact: to === '/', includeSearch: false }}
                  onClick={close}
                >
                  <Icon name={icon} />
                  {label}
                </Link>
              ))}
            </Stack>
          </AppShell.Section>
          <AppShell.Section>
            <MemberMenu />
          </AppShell.Section>
        </AppShell.Navbar>
        <AppShell.Main id="content" tabIndex={-1}>
          <Box maw={1120} mx="auto">
            <Outlet />
          </Box>
        </AppShell.Main>
      </AppShell>
    </>
  );
}

function Home() {
  return (
    <Link to="/" style={{ textDecoration: 'none', color: 'inherit', minWidth: 0 }}>
      <BrandMark size={28} />
    </Link>
  );
}

/** By hand, because the page's base would turn the fragment into another address. */
function focusContent(event: { preventDefault(): void }): void {
  event.preventDefault();
  document.getElementById('content')?.focus();
}
