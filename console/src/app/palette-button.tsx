// Opens the palette, by a click, by Ctrl+K or by Cmd+K.
import { Kbd, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { lazy, Suspense, useEffect } from 'react';
import { Icon } from '../components/icon.tsx';
import { t } from '../i18n/t.ts';
import { loadPart } from '../lib/load-part.ts';

const load = () => loadPart(() => import('./palette.tsx'));
const Palette = lazy(async () => ({ default: (await load()).Palette }));

/** `isSmall`: an icon alone. */
export function PaletteButton({ isSmall = false, listens }: { isSmall?: boolean; listens: boolean }) {
  const [opened, { open, close, toggle }] = useDisclosure(false);
  // Also while a field has the focus.
  useHotkeys(listens ? [['mod+K', toggle]] : [], [], true);
  // With the first key of the two, so that no letter typed after them is lost.
  useEffect(() => {
    const prepare = ({ key }: KeyboardEvent) => {
      if (key === 'Control' || key === 'Meta') void load();
    };
    document.addEventListener('keydown', prepare);
    return () => document.removeEventListener('keydown', prepare);
  }, []);
  return (
    <>
      <UnstyledButton className={isSmall ? 'palette-icon' : 'side-link palette-button'} onClick={open}>
        <Icon name="search" />
        {isSmall ? <VisuallyHidden>{t('Find anything')}</VisuallyHidden> : <span>{t('Find anything')}</span>}
        {!isSmall && <Kbd size="xs">{modKey()} K</Kbd>}
      </UnstyledButton>
      {opened && (
        <Suspense>
          <Palette opened close={close} />
        </Suspense>
      )}
    </>
  );
}

function modKey(): string {
  return /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl';
}
