// The menu of the operator: theme, language, rows of tables, and the way out.
import { Group, Menu } from '@mantine/core';
import { Icon } from '../components/icon.tsx';
import { LanguageMenuItems } from '../components/language-menu-items.tsx';
import type { LoadedMenuProps } from '../components/lazy-menu.tsx';
import { SideMenu } from '../components/side-menu.tsx';
import { ThemeMenuItems } from '../components/theme-menu-items.tsx';
import { t } from '../i18n/t.ts';
import { setDensity, useDensity } from '../lib/density.ts';
import { useSignOut } from '../lib/session.ts';

export function OperatorMenuItems(button: LoadedMenuProps) {
  const signOut = useSignOut();
  const density = useDensity();
  return (
    <SideMenu {...button}>
      <ThemeMenuItems />
      <Menu.Divider />
      <LanguageMenuItems />
      <Menu.Divider />
      <Menu.Label>{t('Rows of tables')}</Menu.Label>
      {(['comfortable', 'compact'] as const).map((one) => (
        <Menu.Item
          key={one}
          closeMenuOnClick={false}
          role="menuitemradio"
          aria-checked={density === one}
          leftSection={<Icon name={density === one ? 'check' : 'more'} size={16} />}
          onClick={() => setDensity(one)}
        >
          {one === 'compact' ? t('Compact') : t('Comfortable')}
        </Menu.Item>
      ))}
      <Menu.Divider />
      <Menu.Item leftSection={<Icon name="signOut" size={16} />} onClick={() => signOut.mutate({ everywhere: false })}>
        <Group gap={4}>{t('Sign out')}</Group>
      </Menu.Item>
      <Menu.Item leftSection={<Icon name="lock" size={16} />} onClick={() => signOut.mutate({ everywhere: true })}>
        {t('Sign out everywhere')}
      </Menu.Item>
    </SideMenu>
  );
}
