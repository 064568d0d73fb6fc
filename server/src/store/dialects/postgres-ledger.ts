// Commits ledger batches on a connection of its own. Statements are sent ahead of the answers (pipelining), and a broken
// connection is replaced at the next batch; whether the broken one had committed is settled by sending the batch again.
import pg from 'pg';
import { applyBatch, ledgerStatements } from '../ledger/apply-batch.ts';
import type { BatchEngine } from '../ledger/group-commit.ts';
import type { LedgerOperation, LedgerResult } from '../ledger/operations.ts';
import { postgresLedgerWords, postgresTypes } from './postgres-words.ts';

const statements = ledgerStatements(postgresLedgerWords);
const statementNames = new Map(Object.entries(statements).map(([name, text]) => [text, `ledger_${name}`]));

export class PostgresLedger implements BatchEngine {
  readonly #databaseUrl: string;
  #client: pg.Client | undefined;

  constructor(databaseUrl: string) {
    this.#databaseUrl = databaseUrl;
  }

  async commit(operations: LedgerOperation[]): Promise<LedgerResult[]> {
    const client = await this.#connected();
    try {
      const begun = client.query('begin');
      const results = await applyBatch(
        {
          query: async (text, json) => {
            const name = statementNames.get(text) ?? text;
            return (await client.query({ name, text, values: [json] })).rows as Record<string, unknown>[];
          },
        },
        statements,
        operations,
      );
      await begun;
      const { command } = await client.query('commit');
      if (command !== 'COMMIT') throw new Error(`the batch was not committed (${command})`);
      return results;
    } catch (error) {
      this.#client = undefined;
      void client.end().catch(() => {});
      throw error;
    }
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
      query_timeout: 10_000,
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
