// How many connections a row can open: the limit of open files, which every process inherits from this one, may be lower
// than what was asked for.
import { openFileLimit } from '../../processes/cost.ts';
import type { RowContext } from '../row.ts';

const filesBeside = 600;

export interface Options {
  count: number;
  /** Files of the relay for each of them. */
  filesEach: number;
  what: string;
}

export function possibleConnections({ notes }: Pick<RowContext, 'notes'>, { count, filesEach, what }: Options): number {
  const possible = Math.floor((openFileLimit() - filesBeside) / filesEach);
  if (possible >= count) return count;
  notes.push(`Only ${possible} ${what} instead of ${count}: raise the limit of open files (ulimit -n).`);
  return possible;
}
