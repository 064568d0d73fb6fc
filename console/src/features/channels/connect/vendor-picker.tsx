// Picks a vendor: type a part of its name, go through the tiles with the arrows, take one with Enter. Or click it.
import { Text, TextInput } from '@mantine/core';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { Icon } from '../../../components/icon.tsx';
import { EmptyState } from '../../../components/states.tsx';
import { plural, t } from '../../../i18n/t.ts';
import { VendorMark } from '../vendor/vendor-mark.tsx';
import { findVendors, type Vendor } from './vendors.ts';

const LIST = 'vendors';
const optionId = (index: number): string => `${LIST}-${index}`;

export function VendorPicker({ vendors, pick }: { vendors: readonly Vendor[]; pick(vendor: Vendor): void }) {
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const found = findVendors(vendors, typed);
  const active = Math.min(at, found.length - 1);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [active, typed]);
  const move = (event: KeyboardEvent<HTMLInputElement>) => {
    const step = stepOf(event, list.current);
    if (step !== undefined) {
      event.preventDefault();
      setAt(Math.max(0, Math.min(found.length - 1, active + step)));
      return;
    }
    const chosen = found[active];
    if (event.key !== 'Enter' || chosen === undefined) return;
    event.preventDefault();
    pick(chosen);
  };
  return (
    <>
      <TextInput
        label={t('Vendor')}
        description={t('Arrows choose, Enter takes')}
        role="combobox"
        aria-expanded
        aria-controls={LIST}
        aria-activedescendant={found.length === 0 ? undefined : optionId(active)}
        autoComplete="off"
        autoFocus
        leftSection={<Icon name="search" size={16} />}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={move}
      />
      <Text size="xs" c="dimmed" mt={6} mb={6} aria-live="polite">
        {plural(found.length, '{count} vendor', '{count} vendors')}
      </Text>
      {found.length === 0 && (
        <EmptyState icon="search" title={t('No vendor has this in its name')}>
          {t('Many speak the compatible protocol: take “Another address” and paste theirs.')}
        </EmptyState>
      )}
      <div
        className="vendor-grid"
        id={LIST}
        role="listbox"
        aria-label={t('Vendors')}
        ref={list}
        hidden={found.length === 0}
      >
        {found.map((vendor, index) => (
          // The field above has the focus and the keys.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
          <div
            key={vendor.id}
            id={optionId(index)}
            role="option"
            aria-selected={index === active}
            className="vendor-option"
            onClick={() => pick(vendor)}
          >
            <VendorMark name={vendor.preset === undefined ? vendor.kind : vendor.name} />
            <div className="vendor-words">
              <Text size="sm" fw={600}>
                {vendor.name}
              </Text>
              <Text size="xs" c="dimmed">
                {vendor.kind}
              </Text>
            </div>
          </div>
        ))}
      </div>
    </>
  );
}

/** Up and down go by rows as they are shown. Left and right belong to the text as long as there is one. */
function stepOf({ key, currentTarget }: KeyboardEvent<HTMLInputElement>, list: HTMLElement | null): number | undefined {
  const columns = list === null ? 1 : getComputedStyle(list).gridTemplateColumns.split(' ').length;
  if (key === 'ArrowDown') return columns;
  if (key === 'ArrowUp') return -columns;
  if (currentTarget.value !== '') return undefined;
  return key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : undefined;
}
