// The colours of the names in bars and table.
const palette = ['iris-5', 'cyan-6', 'teal-6', 'yellow-6', 'pink-5', 'orange-6', 'blue-5'];

/** So many names have a colour of their own. */
export const MOST_SERIES = palette.length;

/** Beyond these, and for the rest, there is one. */
export function colorOf(index: number): string {
  return `var(--mantine-color-${palette[index] ?? 'gray-5'})`;
}
