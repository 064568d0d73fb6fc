// Commits ledger batches on a connection of its own. A batch of plain calls is decided on what this process saw last and sent as
// one statement, which checks that (`batch-function.ts`). Any other locks the rows, reads, decides and writes: statements are
// sent ahead of the answers (pipelining). A broken connection is replaced at the next batch; whether the broken one had
// committed is settled by sending the batch again.
import pg from 'pg';
import { storable } from '../../shared/plain-text.ts';
import { applyBatch, type BatchOptions, type Read, type Step, type Write } from '../ledger/apply-batch.ts';
import { emptyState } from '../ledger/ledger-state.ts';
import { decide } from '../ledger/decide.ts';
import type { BatchEngine } from '../ledger/group-commit.ts';
import { marginsOf } from '../ledger/margins.ts';
import type { LedgerOperation, LedgerResult } from '../ledger/operations.ts';
import { ledgerStatements, type SqlRow, type SqlValue } from '../ledger/statements.ts';
import { batchFunction, batchRows, CALL_BATCH, STALE } from './batch-function.ts';
import { RowCache } from './row-cache.ts';
import { postgresLedgerWords, postgresTypes } from './sql-fragments.ts';

const statements = ledgerStatements(postgresLedgerWords);
const statementNames = new Map(Object.entries(statements).map(([name, text]) => [text, `ledger_${name}`]));

const UNIQUE_VIOLATION = '23505';
const NOT_ALLOWED = '42501';
const REFUSED = new Set<LedgerResult>(['balance_too_low', 'quota_too_low', 'budget_too_low', 'cap_too_low', 'unknown']);

/** A connection that says nothing to a statement for so long is dead; the server gives the statement up before that. */
const SILENT_MS = 5_000;
/**
 * The tables grow and shrink too fast for the planner's idea of them, and every statement names its rows by their keys: an
 * index is always right.
 */
const SESSION = [
  `set statement_timeout = ${SILENT_MS - 500}`,
  'set enable_seqscan = off',
  'set enable_hashjoin = off',
  'set enable_mergejoin = off',
  'set plan_cache_mode = force_generic_plan',
  'set jit = off',
].join('; ');

export class PostgresLedger implements BatchEngine {
  readonly #databaseUrl: string;
  readonly #idleTransactionMs: number;
  readonly #known = new RowCache();
  #client: pg.Client | undefined;
  /** Not where the role may make no temporary objects. */
  #hasFunction = false;

  constructor(databaseUrl: string, { idleTransactionMs }: { idleTransactionMs: number }) {
    this.#databaseUrl = databaseUrl;
    this.#idleTransactionMs = idleTransactionMs;
  }

  async commit(operations: LedgerOperation[], options: BatchOptions): Promise<LedgerResult[]> {
    const client = await this.#connected();
    try {
      const quick = options.repeated || !this.#hasFunction ? undefined : await this.#commitAtOnce(client, operations);
      return quick ?? (await this.#commitInSteps(client, operations, options));
    } catch (error) {
      this.#known.forget();
      this.#client = undefined;
      void client.end().catch(() => {});
      throw error;
    }
  }

  /** undefined when the rows must be seen first; nothing has happened then. */
  async #commitAtOnce(client: pg.Client, operations: LedgerOperation[]): Promise<LedgerResult[] | undefined> {
    const { state } = this.#known;
    const margins = marginsOf(state, operations);
    if (margins === undefined) return undefined;
    const before = this.#known.copyOf(margins);
    const { writes, results } = decide(state, operations);
    if (results.some((result) => REFUSED.has(result))) {
      this.#known.drop(margins, writes);
      return undefined;
    }
    const values = batchRows({ margins, before, after: state, writes }).map((rows) => rows && encodeRows(rows));
    try {
      const { rows } = await client.query<{ shifts: (string | null)[] | null }>({
        name: 'ledger_batch',
        text: CALL_BATCH,
        values,
      });
      this.#known.committed(rows[0]?.shifts ?? null);
      return results;
    } catch (error) {
      if ((error as { code?: unknown }).code !== STALE) throw error;
      this.#known.drop(margins, writes);
      return undefined;
    }
  }

  async #commitInSteps(
    client: pg.Client,
    operations: LedgerOperation[],
    options: BatchOptions,
  ): Promise<LedgerResult[]> {
    const begun = client.query('begin');
    begun.catch(() => {}); // awaited below; until then a failure of what follows it may come first
    const state = emptyState();
    const steps = applyBatch(statements, operations, options, state);
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
    this.#known.learn(state);
    return end.done === true ? end.value : [];
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
      query_timeout: SILENT_MS,
      idle_in_transaction_session_timeout: this.#idleTransactionMs,
      keepAlive: true,
    } as pg.ClientConfig);
    client.on('error', () => {
      if (this.#client === client) this.#client = undefined;
    });
    await client.connect();
    this.#known.forget();
    this.#hasFunction = await prepare(client);
    this.#client = client;
    return client;
  }
}

function isReading(step: Step): step is readonly Read[] {
  return step[0]?.kind === 'read';
}

/** Answers whether batches may be sent as one statement. */
async function prepare(client: pg.Client): Promise<boolean> {
  try {
    await client.query(SESSION);
    await client.query(batchFunction(statements));
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === NOT_ALLOWED) return false;
    void client.end().catch(() => {});
    throw error;
  }
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
