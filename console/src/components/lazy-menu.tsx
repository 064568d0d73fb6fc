// A button at the side whose menu is loaded when it is first wanted: pointed at, focused or pressed. Until then the page
// does without the library's menus.
import { UnstyledButton } from '@mantine/core';
import { type ComponentType, type ReactNode, useRef, useState } from 'react';
import { loadPart } from '../lib/load-part.ts';

export interface LoadedMenuProps {
  /** Inside the button. */
  label: ReactNode;
  /** What happened to the button before its menu was there. */
  hadFocus: boolean;
  wasPressed: boolean;
}

interface LateMenuProps {
  label: ReactNode;
  load(): Promise<ComponentType<LoadedMenuProps>>;
}

export function LazyMenu({ label, load }: LateMenuProps) {
  const [loaded, setLoaded] = useState<{ Menu: ComponentType<LoadedMenuProps>; hadFocus: boolean }>();
  const button = useRef<HTMLButtonElement>(null);
  const loading = useRef(false);
  const pressed = useRef(false);
  const want = () => {
    if (loading.current) return;
    loading.current = true;
    void loadPart(load).then(
      (Menu) => setLoaded({ Menu, hadFocus: document.activeElement === button.current }),
      () => (loading.current = false),
    );
  };
  /** At the beginning of a press: at its end another button may stand here. */
  const press = () => {
    pressed.current = true;
    want();
  };
  if (loaded !== undefined)
    return <loaded.Menu label={label} hadFocus={loaded.hadFocus} wasPressed={pressed.current} />;
  return (
    <UnstyledButton
      ref={button}
      className="side-link"
      w="100%"
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={want}
      onFocus={want}
      onPointerDown={press}
      onKeyDown={({ key }) => (key === 'Enter' || key === ' ') && press()}
      onClick={press}
    >
      {label}
    </UnstyledButton>
  );
}
