// Hears what other processes announce (LISTEN), on a connection of its own that is made again when it breaks. A notice may
// be lost while it is broken, so its return is a notice too.
import pg from 'pg';
import type { Notices } from '../store.ts';

const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [200, 5_000];

/** The name under which inserts into a table are announced. */
export const channelOf = (table: string): string => `tollgate_${table}`;

export class PostgresNotices implements Notices {
  readonly #databaseUrl: string;
  readonly #table: string;
  readonly #onNotice: () => void;
  #client: pg.Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #pause = FIRST_PAUSE_MS;
  #closed = false;
  #listening = false;

  constructor(databaseUrl: string, table: string, onNotice: () => void) {
    this.#databaseUrl = databaseUrl;
    this.#table = table;
    this.#onNotice = onNotice;
    void this.#connect();
  }

  get isListening(): boolean {
    return this.#listening;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#listening = false;
    clearTimeout(this.#timer);
    await this.#client?.end().catch(() => {});
  }

  async #connect(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#databaseUrl,
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    });
    this.#client = client;
    client.on('error', () => {}); // its end follows
    client.on('notification', () => this.#onNotice());
    client.once('end', () => this.#comeBack(client));
    try {
      await client.connect();
      await client.query(`listen ${channelOf(this.#table)}`);
      if (this.#client !== client || this.#closed) return;
      this.#listening = true;
      this.#pause = FIRST_PAUSE_MS;
      this.#onNotice();
    } catch {
      client.end().catch(() => {});
      this.#comeBack(client);
    }
  }

  #comeBack(client: pg.Client): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    this.#listening = false;
    if (this.#closed) return;
    this.#timer = setTimeout(() => void this.#connect(), this.#pause).unref();
    this.#pause = Math.min(LONGEST_PAUSE_MS, this.#pause * 2);
  }
}
