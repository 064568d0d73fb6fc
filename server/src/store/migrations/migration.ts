// What a migration is: a name and statements, written once with the few words that differ between the dialects.
export interface DialectWords {
  /** Text of an id: ordered by its bytes, whatever the database's language. */
  id: string;
  /** Whole nano-units. */
  money: string;
  /** Unix seconds, read back as a number. */
  time: string;
  /** Ends the definition of a table whose rows lie in the order of their key, where the engine can do that. */
  byKey: string;
  /** Primary key that counts up. */
  serial: string;
  /** Statements that make a table refuse updates and deletes. */
  appendOnly(table: string): string[];
  /** Statements that divide a table by the day its ids begin with, so that old days can be dropped; none where rows are deleted. */
  dayParts(table: DayParts): string[];
  /** Statements by which whoever listens hears at once of new rows; none where nobody can listen. */
  tellInserts(table: string): string[];
}

export interface DayParts {
  table: string;
  /** Of its ids (shared/ids.ts). */
  prefix: string;
  /** Columns of its one index beside the key. */
  index: { name: string; columns: string };
}

export interface Migration {
  /** Never changed after release; the list is applied in order. */
  name: string;
  statements(words: DialectWords): string[];
}
