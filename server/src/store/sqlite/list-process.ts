// Reads lists in a process of its own, because nothing inside a process can stop a SQLite query that takes too long, not even
// the end of its thread: this one is killed with its query.
import { flushCompileCache } from 'node:module';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { PreparedStatements, type StatementAnswer } from './statements.ts';

export interface ToListProcess {
  id: number;
  sql: string;
  parameters: SQLInputValue[];
}

export type FromListProcess =
  | { kind: 'ready' }
  | { kind: 'answer'; id: number; answer: StatementAnswer }
  | { kind: 'failure'; id: number; message: string };

/** Long scans read the file where it lies, instead of copying every page of it. */
const MAPPED_BYTES = 8 * 1024 ** 3;

const [, , file = ''] = process.argv;
const database = new DatabaseSync(file, { timeout: 1_000, readOnly: true });
database.exec(`pragma mmap_size = ${MAPPED_BYTES}`);
const prepared = new PreparedStatements(database);
const say = (message: FromListProcess): void => void process.send?.(message);

process.on('disconnect', () => process.exit());
process.on('message', ({ id, sql, parameters }: ToListProcess) => {
  try {
    say({ kind: 'answer', id, answer: prepared.run(sql, parameters) });
  } catch (error) {
    say({ kind: 'failure', id, message: (error as Error).message });
  }
});
say({ kind: 'ready' });
flushCompileCache(); // where there is one: this process is killed, and would keep nothing of it at its end
