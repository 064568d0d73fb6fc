// What the palette offers for a text: pages first, then what the gateway found.
import type { Found, FoundKind } from '#contract/search.ts';
import type { IconName } from '../components/icon.tsx';
import { t } from '../i18n/t.ts';
import { sections } from './pages.ts';

export interface PaletteEntry {
  to: string;
  params?: { id: string };
  id: string;
  label: string;
  detail: string;
  kind: string;
  icon: IconName;
}

const kinds: Record<FoundKind, { to: string; kind: string; icon: IconName }> = {
  account: { to: '/accounts/$id', kind: t('Account'), icon: 'accounts' },
  token: { to: '/tokens/$id', kind: t('Token'), icon: 'tokens' },
  channel: { to: '/channels/$id', kind: t('Channel'), icon: 'channels' },
  model: { to: '/models/$id', kind: t('Model'), icon: 'models' },
  request: { to: '/requests/$id', kind: t('Request'), icon: 'requests' },
  task: { to: '/tasks/$id', kind: t('Video task'), icon: 'video' },
};

/** Pages by any part of their name; all of them before a letter is typed. */
export function paletteEntries(text: string, found: readonly Found[]): PaletteEntry[] {
  const wanted = text.toLowerCase();
  const pages = sections
    .flatMap(({ name, entries }) => entries.map((entry) => ({ ...entry, section: name })))
    .filter(({ label, to }) => label.toLowerCase().includes(wanted) || to.includes(wanted))
    .map(({ to, label, icon, section }) => ({ to, id: to, label, detail: section, kind: t('Page'), icon }));
  const things = found.map(({ kind, id, name, detail }) => ({
    ...kinds[kind],
    params: { id },
    id,
    label: name,
    detail,
  }));
  return [...pages, ...things];
}
