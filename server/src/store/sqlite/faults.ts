// Which errors of SQLite are the state of the database, not what it was asked, and how to say them.
// https://www.sqlite.org/rescode.html

const FAULTS: ReadonlyMap<number, string> = new Map([
  [5, 'the database is locked by another program'],
  [6, 'the database is locked by another program'],
  [8, 'the database is read-only'],
  [10, 'the disk of the database fails'],
  [11, 'the database file is damaged'],
  [13, 'the disk of the database is full'],
  [14, 'the database file cannot be opened'],
  [15, 'the database is locked by another program'],
  [26, 'the database file is damaged'],
]);

/** The extended code is in the higher bytes. */
export function sqliteFault(errcode: number | undefined): string | undefined {
  return errcode === undefined ? undefined : FAULTS.get(errcode & 0xff);
}
