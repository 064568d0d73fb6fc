// The rows of a run by name, in the order of the report. What each of them measures stands in `report/measures.ts`.

export const rowNames = [
  'whole-1',
  'whole-64',
  'whole-1000',
  'translated-whole',
  'large',
  'upload',
  'stream',
  'translated-stream',
  'first-byte',
  'paced',
  'memory',
  'uploads',
  'idle',
  'slow-readers',
  'tasks',
] as const;

export type RowName = (typeof rowNames)[number];

/** "whole" stands for whole-1, whole-64 and whole-1000. */
function isMeant(name: RowName, word: string): boolean {
  return name === word || name.startsWith(`${word}-`);
}

export function readRows(text: string | undefined): readonly RowName[] {
  if (text === undefined) return rowNames;
  const asked = text.split(',').map((word) => word.trim());
  const unknown = asked.find((word) => !rowNames.some((name) => isMeant(name, word)));
  if (unknown !== undefined) throw new Error(`--rows: no row "${unknown}"; rows are ${rowNames.join(', ')}`);
  return rowNames.filter((name) => asked.some((word) => isMeant(name, word)));
}
