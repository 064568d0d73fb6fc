// Ctrl+K: pages, accounts, tokens, channels, models, requests and tasks by a few letters, without the mouse.
import { Group, Loader, Modal, Text, TextInput, UnstyledButton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { Icon } from '../components/icon.tsx';
import { t } from '../i18n/t.ts';
import { matchingText } from '../lib/matching-text.ts';
import { searchQuery } from '../lib/search-subjects.ts';
import { paletteEntries, type PaletteEntry } from './palette-entries.ts';

/** The title is read aloud and takes no room. */
const readAloud = {
  position: 'absolute',
  overflow: 'hidden',
  width: 1,
  height: 1,
  minHeight: 0,
  padding: 0,
  clipPath: 'inset(50%)',
} as const;

export function Palette({ opened, close }: { opened: boolean; close(): void }) {
  return (
    <Modal
      opened={opened}
      onClose={close}
      withCloseButton={false}
      size="lg"
      padding={0}
      yOffset="12vh"
      centered={false}
      title={t('Find anything')}
      styles={{ header: readAloud }}
    >
      {opened && <PaletteBody close={close} />}
    </Modal>
  );
}

function PaletteBody({ close }: { close(): void }) {
  const router = useRouter();
  const [text, setText] = useState('');
  const [q] = useDebouncedValue(text.trim(), 120);
  const [at, setAt] = useState(0);
  const wanted = text.trim();
  const {
    data = [],
    isFetching,
    isPlaceholderData,
  } = useQuery({
    ...searchQuery({ q, limit: 5 }),
    enabled: q.length > 1,
  });
  const searching = wanted.length > 1 && (wanted !== q || (isPlaceholderData && isFetching));
  const found = wanted.length > 1 ? (searching ? matchingText(data, wanted) : data) : [];
  const entries = paletteEntries(wanted, found);
  const chosen = Math.min(at, entries.length - 1);
  const go = ({ to, params }: PaletteEntry) => {
    close();
    void router.navigate({ to, params } as Parameters<typeof router.navigate>[0]);
  };
  // Enter before the answer is there means its first; pages are known at once.
  const [enters, setEnters] = useState(false);
  const first = entries[0];
  useEffect(() => {
    if (!enters || searching) return;
    setEnters(false);
    if (first !== undefined) go(first);
  });
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const entry = entries[chosen];
    if (step !== undefined) setAt((chosen + step + entries.length) % Math.max(entries.length, 1));
    else if (event.key === 'Enter' && searching && at === 0 && entry?.params !== undefined) setEnters(true);
    else if (event.key === 'Enter' && entry !== undefined) go(entry);
    else if (event.key === 'Enter' && searching) setEnters(true);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <TextInput
        size="lg"
        variant="unstyled"
        px="md"
        data-autofocus
        aria-label={t('Find anything')}
        placeholder={t('A page, a name or an id')}
        role="combobox"
        aria-expanded
        aria-controls="palette-list"
        aria-activedescendant={entries.length > 0 ? `palette-${chosen}` : undefined}
        leftSection={<Icon name="search" />}
        rightSection={searching ? <Loader size={14} aria-hidden /> : null}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setAt(0);
          setEnters(false);
        }}
        onKeyDown={press}
      />
      <div className="palette" role="listbox" id="palette-list" aria-label={t('Results')}>
        {entries.map((entry, index) => (
          <UnstyledButton
            key={`${entry.to} ${entry.id}`}
            id={`palette-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            className="palette-entry"
            onClick={() => go(entry)}
            onMouseMove={() => setAt(index)}
          >
            <Icon name={entry.icon} />
            <span className="palette-words">
              <Text size="sm" component="span" className="cut">
                {entry.label}
              </Text>
              <Text size="xs" c="dimmed" component="span" className="cut">
                {entry.detail}
              </Text>
            </span>
            <Text size="xs" c="dimmed" component="span">
              {entry.kind}
            </Text>
          </UnstyledButton>
        ))}
      </div>
      {entries.length === 0 && (
        <Text size="sm" c="dimmed" p="md" role="status">
          {searching ? t('Searching') : t('Nothing found. Try a part of a name, or a whole id.')}
        </Text>
      )}
      <Group gap="md" px="md" py={8} className="palette-foot" visibleFrom="sm">
        <Text size="xs" c="dimmed">
          {t('↑ ↓ to choose, Enter to open, Esc to close; in lists: j k Enter x /')}
        </Text>
      </Group>
    </>
  );
}
