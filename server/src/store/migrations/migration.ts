// What a migration is: a name and statements, written once with the few words that differ between the dialects.
export interface DialectWords {
  /** Text of an id: ordered by its bytes, whatever the database's language. */
  id: string;
  /** Whole nano-units. */
  money: string;
  /** Unix seconds, read back as a number. */
  time: string;
  /** Bytes as they are. */
  bytes: string;
  /** Ends the definition of a table whose rows lie in the order of their key, where the engine can do that. */
  byKey: string;
  /** Primary key that counts up. */
  serial: string;
  /** Statements that make a table refuse updates and deletes. */
  appendOnly(table: string): string[];
}

export interface Migration {
  /** Never changed after release; the list is applied in order. */
  name: string;
  statements(words: DialectWords): string[];
}
