// The menu of the member: theme, language, and the way out.
import { Menu } from '@mantine/core';
import { Icon } from '../../components/icon.tsx';
import { LanguageMenuItems } from '../../components/language-menu-items.tsx';
import type { LoadedMenuProps } from '../../components/lazy-menu.tsx';
import { SideMenu } from '../../components/side-menu.tsx';
import { ThemeMenuItems } from '../../components/theme-menu-items.tsx';
import { t } from '../../i18n/t.ts';
import { useSignOut } from '../session.ts';

export function MemberMenuItems(button: LoadedMenuProps) {
  const signOut = useSignOut();
  return (
    <SideMenu {...button}>
      <ThemeMenuItems />
      <Menu.Divider />
      <LanguageMenuItems />
      <Menu.Divider />
      <Menu.Item leftSection={<Icon name="signOut" size={16} />} onClick={() => signOut.mutate()}>
        {t('Sign out')}
      </Menu.Item>
    </SideMenu>
  );
}
