// Filters that an operator has given a name, kept in this browser for each operator and page.
import { useState } from 'react';
import { useSession } from './session.ts';

export interface SavedView {
  name: string;
  values: Record<string, string>;
}

const MOST = 30;

export interface SavedViews {
  views: SavedView[];
  /** One of the same name is replaced. */
  save(view: SavedView): void;
  remove(name: string): void;
}

export function useSavedViews(page: string): SavedViews {
  const key = `tollgate-views:${useSession()?.name ?? ''}:${page}`;
  const [kept, setKept] = useState({ key, views: readViews(key) });
  const views = kept.key === key ? kept.views : readViews(key);
  const keep = (next: SavedView[]) => {
    setKept({ key, views: next });
    try {
      localStorage.setItem(key, JSON.stringify(next));
    } catch {
      // A browser that keeps nothing: the view lives as long as the page.
    }
  };
  return {
    views,
    save: (view) => keep([...views.filter(({ name }) => name !== view.name), view].slice(-MOST)),
    remove: (gone) => keep(views.filter(({ name }) => name !== gone)),
  };
}

export function readViews(key: string): SavedView[] {
  try {
    const read: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(read) ? read.filter(isView) : [];
  } catch {
    return [];
  }
}

function isView(value: unknown): value is SavedView {
  if (typeof value !== 'object' || value === null) return false;
  const { name, values } = value as Partial<SavedView>;
  return (
    typeof name === 'string' &&
    typeof values === 'object' &&
    values !== null &&
    Object.values(values).every((one) => typeof one === 'string')
  );
}
