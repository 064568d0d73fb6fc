// kill -9 under load and start again, round after round (FT-01): nothing is charged twice, nothing answered goes
// uncharged, and no hold stays open.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startSandbox } from '../../server/src/sandbox/server.ts';
import { onEveryStoreSettings } from '../../server/src/testing/stores.ts';
import { chat, type JournalEntry } from './chat-client.ts';
import { type GatewayProcess, startGatewayProcess } from './gateway-process.ts';
import { Operator, TOKENS_MODEL, untilOffered } from './operator.ts';
import { makeRandom, type Random } from './random.ts';
import { checkBooks, checkJournal, checkUpstream, readBooks, untilNoOpenHold } from './reconcile.ts';

const ROUNDS = 6;
const CLIENTS = 16;
const ENDED_WITHIN_MS = 15_000;

/** Some answers are over at once, some are on their way when the process dies. */
function promptOf(random: Random, stream: boolean): string {
  const length = `[[long ${random.whole(1, 40)}]]`;
  const cached = random.chance(0.3) ? `[[cached ${random.whole(1, 5)}]]` : '';
  if (stream) return `Tell me. ${length} ${cached} ${random.chance(0.5) ? `[[pace ${random.whole(1, 40)}]]` : ''}`;
  return `Tell me. ${length} ${cached} ${random.chance(0.5) ? `[[slow ${random.whole(1, 600)}]]` : ''}`;
}

class Load {
  readonly journal: JournalEntry[] = [];
  readonly #random: Random;
  readonly #key: string;
  readonly #address: string;
  #calls = 0;
  #running = true;
  readonly #clients: Promise<void>[];

  constructor(parts: { address: string; key: string; random: Random }) {
    this.#address = parts.address;
    this.#key = parts.key;
    this.#random = parts.random;
    this.#clients = Array.from({ length: CLIENTS }, () => this.#callOnAndOn());
  }

  async end(): Promise<void> {
    this.#running = false;
    await Promise.all(this.#clients);
  }

  async #callOnAndOn(): Promise<void> {
    while (this.#running) {
      const stream = this.#random.chance(0.5);
      const entry = await chat({
        address: this.#address,
        key: this.#key,
        model: TOKENS_MODEL,
        text: promptOf(this.#random, stream),
        stream,
        maxTokens: 1_000 + this.#calls++,
      });
      this.journal.push(entry);
      if (entry.status === undefined) await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

onEveryStoreSettings((makeSettings, dialect) => {
  test('kill -9 under load and restart: the four records agree (promises M-01, M-03, M-04, M-05, M-11)', async (t) => {
    const seed = Number(process.env['FAULT_SEED'] ?? Date.now() % 1_000_000);
    t.diagnostic(`FAULT_SEED=${seed}`);
    const random = makeRandom(seed);
    const settings = await makeSettings();
    const upstream = await startSandbox();
    t.after(() => upstream.stop());
    let gateway: GatewayProcess = await startGatewayProcess(settings);
    t.after(() => gateway.end('SIGKILL'));
    const operator = new Operator(gateway.address);
    await operator.offerModels(upstream.baseUrl('openai'));
    const { key } = await operator.addToken(await operator.addAccount('1000000'));
    await untilOffered(gateway.address, key, TOKENS_MODEL);

    const load = new Load({ address: gateway.address, key, random });
    let ending: Promise<void> | undefined;
    for (let round = 1; round <= ROUNDS; round++) {
      await new Promise((resolve) => setTimeout(resolve, random.whole(200, 1_800)));
      const killed = gateway.end('SIGKILL');
      if (round === ROUNDS) ending = load.end(); // those on their way die with the process
      await killed;
      gateway = await startGatewayProcess(settings, { port: gateway.port });
    }
    await ending;
    const waited = await untilNoOpenHold(settings, gateway.readyAt + ENDED_WITHIN_MS - Date.now());

    const books = await readBooks(settings);
    checkBooks(books);
    const answered = checkJournal(books, load.journal);
    checkUpstream(books, upstream.records);
    const settled = books.holds.filter((hold) => hold.status === 'settled').length;
    t.diagnostic(
      `${dialect}: ${load.journal.length} calls, ${upstream.records.length} reached the upstream, ${answered} answered, ` +
        `${settled} settled, ${books.holds.length - settled} released; the last hold ended after ${waited} ms`,
    );
    assert.ok(answered > 100, `only ${answered} calls were answered: too little load to prove anything`);
    assert.ok(books.holds.length - settled > 10, 'too few calls were on their way at the kills');
  });
});
