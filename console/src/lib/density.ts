// How close the rows of tables lie, kept in this browser.
import { useSyncExternalStore } from 'react';

export type Density = 'comfortable' | 'compact';

const KEY = 'tollgate-density';
const listeners = new Set<() => void>();

function readDensity(): Density {
  return document.documentElement.dataset['density'] === 'compact' ? 'compact' : 'comfortable';
}

export function setDensity(density: Density): void {
  document.documentElement.dataset['density'] = density;
  try {
    localStorage.setItem(KEY, density);
  } catch {
    // A browser that keeps nothing.
  }
  for (const listener of listeners) listener();
}

/** When the page begins. */
export function restoreDensity(): void {
  try {
    if (localStorage.getItem(KEY) === 'compact') document.documentElement.dataset['density'] = 'compact';
  } catch {
    // A browser that keeps nothing.
  }
}

export function useDensity(): Density {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, readDensity);
}
