// Past requests for pictures of charts, with what they took from the ledger: written into the tables of a gateway on SQLite, which
// adds them to its sums itself.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { firstIdAt } from '../../../server/src/shared/ids.ts';
import type { TestGateway } from '../../support/gateway.ts';
import { pause } from '../../support/wait.ts';
import type { Trade } from './fill-customers.ts';
import type { Filled } from './fill-gateway.ts';

/** Twice what a page compares. */
const HOURS = 60 * 24;
/** How much of it is of others, where there are some. */
const OF_OTHERS = 0.6;
const QUIET_DAYS = 0.6;
const CENT = 10_000_000;
/** Ids of the ledger that are left to the past: a list in the order of its ids is one in the order of time. The first are those of
    the first start. */
const FIRST_LEDGER_ID = 100;
const LEDGER_IDS = 1_000_000;

interface Line {
  id: string;
  account: string;
  token: string;
  model: string;
  channel: string;
  failed: boolean;
  firstMs: number;
  totalMs: number;
  input: number;
  output: number;
  nano: number;
  at: number;
}

/** Before anything moves money. */
export async function leaveRoom(gateway: TestGateway): Promise<void> {
  await change(gateway, (database) => {
    database.exec(`delete from sqlite_sequence where name = 'ledger'`);
    database.exec(`insert into sqlite_sequence (name, seq) values ('ledger', ${LEDGER_IDS})`);
  });
}

export async function addHistory(gateway: TestGateway, filled: Filled, trade?: Trade): Promise<void> {
  const lines = makeLines(filled, trade);
  await change(gateway, (database) => {
    addRequests(database, lines);
    addLedger(database, lines);
  });
}

/** The gateway runs in this process: to wait for its transaction here would keep it from ending it. */
async function change({ dataFolder }: TestGateway, work: (database: DatabaseSync) => void): Promise<void> {
  const database = new DatabaseSync(join(dataFolder, 'tollgate.db'), { timeout: 0 });
  try {
    for (;;) {
      try {
        database.exec('begin immediate');
        break;
      } catch (error) {
        if (!(error instanceof Error && error.message === 'database is locked')) throw error;
        await pause(20);
      }
    }
    work(database);
    database.exec('commit');
  } finally {
    database.close();
  }
}

function makeLines({ account, token, channel }: Filled, trade: Trade | undefined): Line[] {
  const now = Math.floor(Date.now() / 1000);
  const chance = pseudoRandom(7);
  const lines: Line[] = [];
  for (let hour = HOURS; hour > 0; hour--) {
    const start = now - (hour + 1) * 3600;
    const date = new Date(start * 1000);
    const day = Math.max(0, Math.sin(((date.getUTCHours() - 5) / 24) * 2 * Math.PI));
    const growth = 1.1 - (0.3 * hour) / HOURS;
    const share = growth * ([0, 6].includes(date.getUTCDay()) ? QUIET_DAYS : 1);
    const busy = 1 + Math.round(share * (14 * day + 5 * chance()));
    for (let count = 0; count < busy; count++) {
      const at = start + Math.round(3599 * chance());
      const failed = chance() < 0.04;
      const model = chance() < 0.62 ? 'orion-large' : chance() < 0.7 ? 'orion-mini' : 'sandbox-image';
      const [input, output] = [Math.round(200 + 1800 * chance()), Math.round(50 + 700 * chance())];
      const firstMs = Math.round(180 + 420 * chance());
      const others = trade !== undefined && chance() < OF_OTHERS ? trade : undefined;
      const customer = others?.customers[Math.floor(others.customers.length * chance() ** 2)] ?? { account, token };
      const route = others?.routes[Math.floor(others.routes.length * chance() ** 2)] ?? { model, channel: channel.id };
      lines.push({
        id: `${firstIdAt('req', at * 1000)}${String(count).padStart(16, '0')}`,
        account: customer.account.id,
        token: customer.token.id,
        model: route.model,
        channel: route.channel,
        failed,
        firstMs,
        totalMs: firstMs + Math.round(2200 * chance()),
        input,
        output,
        nano: failed ? 0 : Math.round((model === 'orion-large' ? 25_000 : 2_000) * input + 60_000 * output),
        at,
      });
    }
  }
  return lines.toSorted((a, b) => a.at - b.at);
}

function addRequests(database: DatabaseSync, lines: readonly Line[]): void {
  const insert = database.prepare(
    `insert into requests (id, account_id, token_id, group_name, endpoint, model, channel_id, status, error_code, attempts,
      first_byte_ms, total_ms, usage, usage_source, charge, mode, created_at)
     values (?, ?, ?, 'default', '/v1/chat/completions', ?, ?, ?, ?, '[]', ?, ?, ?, 'upstream', ?, 'live', ?)`,
  );
  const firsts = new Set<string>();
  const sums = chargesOf(lines);
  for (const line of lines) {
    // What was credited is a number that people pay: the first request of an account takes the rest of a cent.
    if (!line.failed && !firsts.has(line.account)) {
      firsts.add(line.account);
      line.nano += (CENT - ((sums.get(line.account) ?? 0) % CENT)) % CENT;
    }
    insert.run(
      line.id,
      line.account,
      line.token,
      line.model,
      line.channel,
      line.failed ? 502 : 200,
      line.failed ? 'upstream_error' : null,
      line.failed ? null : line.firstMs,
      line.totalMs,
      line.failed ? null : JSON.stringify({ input_tokens: line.input, output_tokens: line.output }),
      line.nano,
      line.at,
    );
  }
}

/** A credit for each account, and all of it charged. */
function addLedger(database: DatabaseSync, lines: readonly Line[]): void {
  const insert = database.prepare(
    `insert into ledger (id, kind, account_id, token_id, hold_id, request_id, amount, balance_after, mode, note, author, created_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, 'live', ?, ?, ?)`,
  );
  const balances = chargesOf(lines);
  const [first] = lines;
  let id = FIRST_LEDGER_ID;
  for (const [account, sum] of balances)
    insert.run(id++, 'credit', account, null, null, null, sum, sum, 'invoice', 'admin', first?.at ?? 0);
  for (const { failed, account, token, id: request, nano, at } of lines) {
    if (failed) continue;
    const balance = (balances.get(account) ?? 0) - nano;
    balances.set(account, balance);
    insert.run(id++, 'settle', account, token, request, request, nano, balance, null, null, at);
  }
}

function chargesOf(lines: readonly Line[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { account, nano } of lines) sums.set(account, (sums.get(account) ?? 0) + nano);
  return sums;
}

/** The same pictures every time. */
function pseudoRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
