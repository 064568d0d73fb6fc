// Who is signed in, the theme, and the way out.
import {
  Menu,
  Text,
  UnstyledButton,
  VisuallyHidden,
  Group,
  useMantineColorScheme,
  type MantineColorScheme,
} from '@mantine/core';
import { Icon, type IconName } from '../components/icon.tsx';
import { useSession, useSignOut } from '../lib/session.ts';

const schemes: [MantineColorScheme, string, IconName][] = [
  ['light', 'Light', 'sun'],
  ['dark', 'Dark', 'moon'],
  ['auto', 'Like the system', 'system'],
];

export function OperatorMenu() {
  const session = useSession();
  const signOut = useSignOut();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Menu width={220} position="top-start" shadow="md">
      <Menu.Target>
        <UnstyledButton className="side-link" w="100%">
          <Icon name="user" size={22} />
          <span>
            <Text size="sm" fw={600} component="span" display="block" className="cut" maw={140}>
              {session?.name}
            </Text>
            <Text size="xs" component="span" display="block">
              {session?.role}
            </Text>
            <VisuallyHidden>theme and sign-out</VisuallyHidden>
          </span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Theme</Menu.Label>
        {schemes.map(([scheme, label, icon]) => (
          <Menu.Item
            key={scheme}
            leftSection={<Icon name={icon} size={16} />}
            rightSection={colorScheme === scheme ? <Icon name="check" size={14} /> : undefined}
            onClick={() => setColorScheme(scheme)}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item
          leftSection={<Icon name="signOut" size={16} />}
          onClick={() => signOut.mutate({ everywhere: false })}
        >
          <Group gap={4}>Sign out</Group>
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="lock" size={16} />} onClick={() => signOut.mutate({ everywhere: true })}>
          Sign out everywhere
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
