// kill -9 of `tollgate import` at random points (issue 33, contract-2 11): run again, and the end is that of a run which
// nobody ended: the same accounts, sums and keys, and nothing twice. TEST_SEED repeats a run that failed.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { NO_DATABASE_SERVER, OPERATOR_KEY, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { nano } from '../support/money.ts';
import { afternoon, keyOf } from './import/afternoon.ts';
import { NEW_API, writeSqlite } from './import/new-api-schema.ts';
import { json, runCli } from './run-cli.ts';

const MAIN = fileURLToPath(new URL('../../cli/src/main.ts', import.meta.url));
/** Without what a gateway makes for itself at its first start. */
const SETTINGS = { TOLLGATE_SANDBOX: 'off' };
const ROUNDS = 6;
/** A whole import makes some more than this together with what it reads. */
const CALLS = 1_200;
const MOMENTS = ['before it arrives', 'before the answer', 'after the answer'] as const;

const folder = mkdtempSync(join(tmpdir(), 'tollgate-import-killed-'));
const database = join(folder, 'one-api.db');
const seed = Number(process.env['TEST_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
let upstream: TestGateway['upstream'];
let wanted: Facts;

before(async () => {
  const gateway = await startTestGateway({ settings: SETTINGS });
  ({ upstream } = gateway);
  const { openai, anthropic, gemini } = upstream.baseUrls();
  const serviceAccount = JSON.stringify(upstream.serviceAccount(), null, 2);
  writeSqlite(database, NEW_API, afternoon({ openai: openai.replace(/\/v1$/, ''), anthropic, gemini, serviceAccount }));
  await importInto(gateway);
  wanted = await readFacts(gateway);
  await gateway.stop();
});
after(() => rmSync(folder, { recursive: true, force: true }));

for (const postgres of [false, true])
  describe(`import on ${postgres ? 'PostgreSQL' : 'SQLite'}`, { skip: postgres && NO_DATABASE_SERVER }, () => {
    test('killed at random points and run again, the end is that of one run', async (t) => {
      t.diagnostic(`TEST_SEED=${seed}`);
      const random = randomOf(seed + Number(postgres));
      const gateway = await startTestGateway({ postgres, settings: SETTINGS });
      const proxy = await Cutter.start(gateway.address);
      try {
        for (let round = 0; round < ROUNDS; round += 1) {
          const call = 1 + Math.floor(random() * (CALLS / ROUNDS) * 2);
          const moment = MOMENTS[Math.floor(random() * MOMENTS.length)] ?? MOMENTS[0];
          const wasKilled = await importKilled(proxy, { call, moment });
          t.diagnostic(`round ${round}: call ${call}, ${moment}${wasKilled ? '' : ' (it had ended)'}`);
        }
        const report = await importInto(gateway);
        assert.equal(report.sums.expected, report.sums.after, `TEST_SEED=${seed}`);
        assert.deepEqual(await readFacts(gateway), wanted, `TEST_SEED=${seed}`);
        const again = await importInto(gateway);
        assert.deepEqual(Object.values(again.made), [0, 0, 0, 0, 0, 0], `TEST_SEED=${seed}`);
        assert.deepEqual(again.sums, report.sums);
        const headers = { authorization: `Bearer sk-${keyOf(1)}` };
        assert.equal((await fetch(`${gateway.address}/v1/models`, { headers })).status, 200);
      } finally {
        await proxy.stop();
        await gateway.stop();
      }
    });
  });

const settingsOf = (address: string): Record<string, string> => ({
  TOLLGATE_URL: address,
  TOLLGATE_OPERATOR_KEY: OPERATOR_KEY,
});

interface Report {
  made: Record<string, number>;
  sums: Record<string, string>;
}

async function importInto(gateway: TestGateway): Promise<Report> {
  return json(await runCli(['import', 'new-api', database, '--yes', '--json'], settingsOf(gateway.address))) as Report;
}

interface Cut {
  /** The how manieth of the operator API. */
  call: number;
  moment: (typeof MOMENTS)[number];
}

/** True when it was killed, false when it came to its end before. */
async function importKilled(proxy: Cutter, cut: Cut): Promise<boolean> {
  const args = ['--disable-warning=ExperimentalWarning', MAIN, 'import', 'new-api', database, '--yes'];
  const env = { PATH: process.env['PATH'] ?? '', ...settingsOf(proxy.address) };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let printed = '';
  child.stderr.on('data', (piece: Buffer) => (printed += piece.toString()));
  proxy.cut(child, cut);
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  assert.ok(signal === 'SIGKILL' || code === 0, printed);
  return signal === 'SIGKILL';
}

/** Stands between the command and the gateway, and ends the command at one of its calls. */
class Cutter {
  readonly #server: Server;
  readonly #gateway: string;
  #calls = 0;
  #cut: Cut | undefined;
  #child: ChildProcess | undefined;

  private constructor(gateway: string) {
    this.#gateway = gateway;
    this.#server = createServer((incoming, outgoing) => void this.#pass(incoming, outgoing));
  }

  static async start(gateway: string): Promise<Cutter> {
    const cutter = new Cutter(gateway);
    cutter.#server.listen(0, '127.0.0.1');
    await once(cutter.#server, 'listening');
    return cutter;
  }

  get address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  cut(child: ChildProcess, cut: Cut): void {
    [this.#calls, this.#cut, this.#child] = [0, cut, child];
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const moment = ++this.#calls === this.#cut?.call ? this.#cut.moment : undefined;
    const kill = (at: Cut['moment']): boolean => moment === at && this.#child?.kill('SIGKILL') === true;
    const body = Buffer.concat(await incoming.toArray());
    if (kill('before it arrives')) return;
    const { method = 'GET', url = '' } = incoming;
    const answer = await fetch(`${this.#gateway}${url}`, {
      method,
      headers: Object.fromEntries(
        ['authorization', 'content-type', 'idempotency-key', 'if-match', 'accept'].flatMap((name) => {
          const value = incoming.headers[name];
          return typeof value === 'string' ? [[name, value]] : [];
        }),
      ),
      ...(body.length > 0 && { body }),
    });
    const text = await answer.text();
    if (kill('before the answer')) return;
    outgoing.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' });
    outgoing.end(text, () => kill('after the answer'));
  }
}

type Facts = Record<string, string[]>;

/** What is in a gateway, without what differs between two: ids and times. */
async function readFacts(gateway: TestGateway): Promise<Facts> {
  type Row = Record<string, unknown>;
  const read = async (path: string): Promise<Row[]> => {
    const rows: Row[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: { data: Row[]; next_cursor: string | null } = await gateway.operator(
        'GET',
        `${path}?limit=200${cursor === '' ? '' : `&cursor=${cursor}`}`,
      );
      rows.push(...page.data);
      cursor = page.next_cursor;
    }
    return rows;
  };
  const accounts = await read('/accounts');
  const nameOf = (id: unknown): unknown => accounts.find((account) => account['id'] === id)?.['external_id'];
  const pick = (rows: Row[], names: string[]): string[] =>
    rows
      .map((row) => JSON.stringify(names.map((name) => (name === 'account_id' ? nameOf(row[name]) : row[name]))))
      .toSorted();
  const keys = (channel: Row): Row => ({ ...channel, keys: (channel['keys'] as Row[]).map(({ hint }) => hint) });
  const ledger = (await read('/ledger')).map((row) => ({ ...row, amount: String(nano(String(row['amount']))) }));
  return {
    accounts: pick(accounts, ['name', 'external_id', 'group', 'status', 'balance']),
    tokens: pick(await read('/tokens'), ['name', 'account_id', 'status', 'models', 'quota', 'expires_at', 'key_hint']),
    channels: pick((await read('/channels')).map(keys), ['name', 'provider', 'base_url', 'models', 'keys', 'status']),
    models: pick(await read('/models'), ['id', 'price', 'enabled']),
    groups: pick(await read('/groups'), ['name', 'multiplier']),
    ledger: pick(ledger, ['kind', 'account_id', 'amount', 'note']),
  };
}

/** The same numbers for the same seed. */
function randomOf(start: number): () => number {
  let state = start;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
