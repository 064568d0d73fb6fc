// The rows of a page that are chosen for something to be done to all of them.
import { useState } from 'react';

export interface RowSelection<Row> {
  rows: Row[];
  has(row: Row): boolean;
  toggle(row: Row): void;
  setAll(chosen: boolean): void;
  clear(): void;
}

/** Rows that are no longer shown are not chosen either. */
export function useSelection<Row>(shown: Row[], keyOf: (row: Row) => string): RowSelection<Row> {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  return {
    rows: shown.filter((row) => keys.has(keyOf(row))),
    has: (row) => keys.has(keyOf(row)),
    toggle: (row) => setKeys((before) => before.symmetricDifference(new Set([keyOf(row)]))),
    setAll: (chosen) => setKeys(new Set(chosen ? shown.map(keyOf) : [])),
    clear: () => setKeys(new Set()),
  };
}
