// Commits ledger batches on a connection of its own. Statements are sent ahead of the answers (pipelining), and a broken
// connection is replaced at the next batch; whether the broken one had committed is settled by sending the batch again.
import pg from 'pg';
import { storable } from '../../shared/plain-text.ts';
import { applyBatch, type BatchOptions, type Read, type Step, type Write } from '../ledger/apply-batch.ts';
import type { BatchEngine } from '../ledger/group-commit.ts';
import type { LedgerOperation, LedgerResult } from '../ledger/operations.ts';
import { ledgerStatements, type SqlRow, type SqlValue } from '../ledger/statements.ts';
import { postgresLedgerWords, postgresTypes } from './sql-fragments.ts';

const statements = ledgerStatements(postgresLedgerWords);
const statementNames = new Map(Object.entries(statements).map(([name, text]) => [text, `ledger_${name}`]));

const UNIQUE_VIOLATION = '23505';

export class PostgresLedger implements BatchEngine {
  readonly #databaseUrl: string;
  readonly #idleTransactionMs: number;
  #client: pg.Client | undefined;

  constructor(databaseUrl: string, { idleTransactionMs }: { idleTransactionMs: number }) {
    this.#databaseUrl = databaseUrl;
    this.#idleTransactionMs = idleTransactionMs;
  }

  async commit(operations: LedgerOperation[], options: BatchOptions): Promise<LedgerResult[]> {
    const client = await this.#connected();
    try {
      const begun = client.query('begin');
      begun.catch(() => {}); // awaited below; until then a failure of what follows it may come first
      const steps = applyBatch(statements, operations, options);
      let step = steps.next();
      while (step.done !== true && isReading(step.value)) {
        const answers = await Promise.all(step.value.map(({ sql, ids }) => send(client, sql, JSON.stringify(ids))));
        step = steps.next(answers.map(({ rows }) => rows as SqlRow[]));
      }
      // The writes come last; the commit follows them without waiting, and does nothing if one of them failed.
      const writes = step.done === true ? [] : (step.value as readonly Write[]);
      const written = writes.map(({ sql, rows }) => send(client, sql, encodeRows(rows)));
      const committed = client.query('commit');
      await Promise.all([begun, ...written, committed]);
      const { command } = await committed;
      if (command !== 'COMMIT') throw new Error(`the batch was not committed (${command})`);
      const end = steps.next([]);
      return end.done === true ? end.value : [];
    } catch (error) {
      this.#client = undefined;
      void client.end().catch(() => {});
      throw error;
    }
  }

  /** By the class of the SQLSTATE: data, integrity, syntax and limits are the batch's own fault. */
  refuses(error: unknown): boolean {
    const { code } = error as { code?: unknown };
    // A doubled key is the batch's own first attempt, whose commit came through after this one had looked for it: the next
    // attempt finds it.
    return typeof code === 'string' && code !== UNIQUE_VIOLATION && /^(22|23|42|54)[0-9A-Z]{3}$/.test(code);
  }

  async close(): Promise<void> {
    await this.#client?.end();
    this.#client = undefined;
  }

  async #connected(): Promise<pg.Client> {
    if (this.#client !== undefined) return this.#client;
    const client = new pg.Client({
      connectionString: this.#databaseUrl,
      pipeline: true,
      types: postgresTypes,
      connectionTimeoutMillis: 2_000,
      query_timeout: 5_000,
      idle_in_transaction_session_timeout: this.#idleTransactionMs,
      keepAlive: true,
    } as pg.ClientConfig);
    client.on('error', () => {
      if (this.#client === client) this.#client = undefined;
    });
    await client.connect();
    this.#client = client;
    return client;
  }
}

function isReading(step: Step): step is readonly Read[] {
  return step[0]?.kind === 'read';
}

function send(client: pg.Client, text: string, json: string): Promise<pg.QueryResult> {
  return client.query({ name: statementNames.get(text) ?? text, text, values: [json] });
}

/** JSON in which whole nano-units stay whole numbers of any size, and no text makes the database refuse the batch. */
function encodeRows(rows: readonly SqlValue[][]): string {
  const encode = (value: SqlValue): string => {
    if (typeof value === 'bigint') return value.toString();
    return JSON.stringify(typeof value === 'string' ? storable(value) : value);
  };
  return `[${rows.map((row) => `[${row.map(encode).join(',')}]`).join(',')}]`;
}
