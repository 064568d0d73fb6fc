// What a store is filled from: all of it becomes visible at once, at the end, or nothing of it ever.
import type { Migration } from '../migrations/migration.ts';
import type { Row, TableOfSnapshot } from './snapshot.ts';

/** The tables of a snapshot; `rows` is read once for each, in the order of the list. */
export interface LoadSource {
  /** Changes that have made the tables of the snapshot. */
  migrations: readonly Migration[];
  tables(): AsyncIterable<{ table: TableOfSnapshot; rows: AsyncIterable<Row[]> }>;
}

export interface LoadOptions {
  /** What the store holds is lost. */
  force: boolean;
  /** Called with what begins when it is not the copying of rows. */
  onStage: OnStage;
}

export type OnStage = (words: string) => void;

/** There is something already, or somebody works with it. */
export class LoadRefused extends Error {
  override name = 'LoadRefused';
}
