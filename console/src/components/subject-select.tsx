// Chooses an account, a token or a channel among any number of them: the gateway searches while one types.
import { MultiSelect, type MultiSelectProps, Select, type SelectProps, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { t } from '../i18n/t.ts';
import type { Found } from '#contract/search.ts';
import { type Names, useNames } from '../lib/names.ts';
import { matchingText } from '../lib/matching-text.ts';
import { searchQuery } from '../lib/search-subjects.ts';

type Kind = 'account' | 'token' | 'channel';

interface SubjectSelectProps extends Omit<SelectProps, 'data' | 'value' | 'onChange'> {
  kind: Kind;
  value: string | null;
  onChange(id: string | null): void;
}

const SHOWN = 20;

export function SubjectSelect({ kind, value, onChange, ...props }: SubjectSelectProps) {
  const { names, setTyped, opened, setOpened, typed, search } = useSubjects(kind);
  const [enters, setEnters] = useState(false);
  const chosen = value === null ? '' : (names.get(value) ?? value);
  const { found, searching } = search(typed === chosen ? '' : typed);
  const options = optionsOf(found, value === null ? [] : [value], names);
  const first = found[0]?.id;
  // Enter before the answer is there means its first.
  useEffect(() => {
    if (!enters || searching) return;
    setEnters(false);
    if (first === undefined) return;
    onChange(first);
    setOpened(false);
  }, [enters, searching, first, onChange, setOpened]);
  return (
    <Select
      searchable
      nothingFoundMessage={searching ? t('Searching') : t('Nothing has this in its name')}
      {...props}
      data={options.data}
      filter={({ options: all }) => all}
      renderOption={({ option }) => <OptionText label={option.label} detail={options.details.get(option.value)} />}
      value={value}
      onChange={(id) => onChange(id)}
      onSearchChange={(text) => {
        setTyped(text);
        setEnters(false);
        // Deleting the text clears the choice.
        if (text === '' && value !== null && props.clearable === true) onChange(null);
      }}
      onKeyDownCapture={(event) => {
        if (event.key !== 'Enter' || event.nativeEvent.isComposing || !opened) return;
        if (!searching && (event.currentTarget.hasAttribute('aria-activedescendant') || typed === chosen)) return;
        event.preventDefault();
        event.stopPropagation();
        setEnters(true);
      }}
      // Turned on again when an answer is there: its first is marked.
      selectFirstOptionOnChange={!searching}
      dropdownOpened={opened}
      onDropdownOpen={() => setOpened(true)}
      onDropdownClose={() => setOpened(false)}
    />
  );
}

interface SubjectsSelectProps extends Omit<MultiSelectProps, 'data' | 'value' | 'onChange'> {
  kind: Kind;
  value: string[];
  onChange(ids: string[]): void;
}

export function SubjectsSelect({ kind, value, onChange, ...props }: SubjectsSelectProps) {
  const { names, setTyped, setOpened, typed, search } = useSubjects(kind);
  const { found, searching } = search(typed);
  const options = optionsOf(found, value, names);
  return (
    <MultiSelect
      searchable
      nothingFoundMessage={searching ? t('Searching') : t('Nothing has this in its name')}
      {...props}
      data={options.data}
      filter={({ options: all }) => all}
      renderOption={({ option }) => <OptionText label={option.label} detail={options.details.get(option.value)} />}
      value={value}
      onChange={onChange}
      onSearchChange={setTyped}
      onDropdownOpen={() => setOpened(true)}
    />
  );
}

function useSubjects(kind: Kind) {
  const [opened, setOpened] = useState(false);
  const [typed, setTyped] = useState('');
  const [asked, setAsked] = useState('');
  const [q] = useDebouncedValue(asked, 200);
  const { data = [], isPlaceholderData } = useQuery({
    ...searchQuery({ q: q.trim(), kind, limit: SHOWN }),
    enabled: opened,
  });
  /** Until the answer for this text is there, of the one before only what fits it. */
  const search = (text: string): { found: Found[]; searching: boolean } => {
    if (text !== asked) setAsked(text);
    const searching = isPlaceholderData || text.trim() !== q.trim();
    return { found: searching ? matchingText(data, text) : data, searching };
  };
  return { search, names: useNames(), typed, setTyped, opened, setOpened };
}

function optionsOf(found: Found[], chosen: string[], names: Names) {
  const missing = chosen.filter((id) => !found.some((one) => one.id === id));
  const data = [
    ...missing.map((id) => ({ value: id, label: names.get(id) ?? id })),
    ...found.map(({ id, name }) => ({ value: id, label: name })),
  ];
  return { data, details: new Map(found.map(({ id, detail }) => [id, detail])) };
}

function OptionText({ label, detail }: { label: string; detail: string | undefined }) {
  return (
    <div>
      <Text size="sm" className="cut">
        {label}
      </Text>
      {detail !== undefined && detail !== '' && (
        <Text size="xs" c="dimmed" className="cut" aria-hidden>
          {detail}
        </Text>
      )}
    </div>
  );
}
