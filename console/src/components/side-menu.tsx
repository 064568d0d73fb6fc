// The menu of a button at the side, once it is loaded: takes over the focus of the button it replaces, and opens if that was pressed.
import { Menu, UnstyledButton } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { LoadedMenuProps } from './lazy-menu.tsx';

export function SideMenu({ label, hadFocus, wasPressed, children }: LoadedMenuProps & { children: ReactNode }) {
  const [opened, setOpened] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // A press focuses too. The menu gives the focus back to what had it when it opened.
    if (hadFocus || wasPressed) button.current?.focus();
    if (wasPressed) setOpened(true);
  }, [hadFocus, wasPressed]);
  return (
    <Menu width={220} position="top-start" shadow="md" opened={opened} onChange={setOpened}>
      <Menu.Target>
        <UnstyledButton ref={button} className="side-link" w="100%">
          {label}
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}
