// Which member is signed in, the theme, and the way out.
import { Menu, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { Icon } from '../../components/icon.tsx';
import { ThemeMenuItems } from '../../components/theme-menu-items.tsx';
import { useSession, useSignOut } from '../session.ts';

export function MemberMenu() {
  const session = useSession();
  const signOut = useSignOut();
  return (
    <Menu width={220} position="top-start" shadow="md">
      <Menu.Target>
        <UnstyledButton className="side-link" w="100%">
          <Icon name="user" size={22} />
          <span>
            <Text size="sm" fw={600} component="span" display="block" className="cut" maw={150}>
              {session?.email}
            </Text>
            <Text size="xs" component="span" display="block">
              {session?.role}
            </Text>
            <VisuallyHidden>theme and sign-out</VisuallyHidden>
          </span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <ThemeMenuItems />
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="signOut" size={16} />} onClick={() => signOut.mutate()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
