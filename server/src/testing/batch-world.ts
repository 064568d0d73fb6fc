// Batches without a relay, for tests: a store, blobs in a folder, one model, and lines that do as the test says.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { reconcile } from '../billing/reconcile.ts';
import { LiveCatalogue } from '../catalogue/live-catalogue.ts';
import { readBlob } from '../files/blob-store.ts';
import { FolderBlobs } from '../files/folder-blobs.ts';
import { facts } from '../routing/testing/offered.ts';
import type { RequestRow } from '../store/ledger/operations.ts';
import type { LineRow } from '../store/queries/batch-lines.ts';
import { claimLines } from '../store/queries/claim-batch-lines.ts';
import { type BatchRow, findBatch } from '../store/queries/batches.ts';
import { listLedger } from '../store/queries/ledger.ts';
import { heartbeat, removeProcess } from '../store/queries/processes.ts';
import type { Store } from '../store/store.ts';
import { addAccount, addToken, requestRow } from './fixtures.ts';
import { model, offer, principal } from './offer.ts';
import type { BatchDependencies, LineCall } from '../batches/batch-dependencies.ts';
import { planLines } from '../batches/create/plan-lines.ts';
import { startBatch } from '../batches/create/start-batch.ts';
import { advanceBatch } from '../batches/finish/advance-batch.ts';
import { jsonPaths } from '../protocols/paths.ts';
import { LinePrincipals } from '../batches/lines/line-principal.ts';
import { runLine } from '../batches/lines/run-line.ts';

/** Half of it in a batch. */
const PRICE = { unit: 'tokens', input: '1000', output: '1000', batch: '0.5' };
export const SILENCE = 10;
const ENDPOINT = '/v1/chat/completions';
export const CHARGE = 1_000n;

export type BatchWorld = Awaited<ReturnType<typeof makeBatchWorld>>;
export type Behaviour = (call: LineCall, charge: (amount?: bigint) => Promise<void>) => Promise<void>;

export async function makeBatchWorld(t: TestContext, store: Store, { balance = 10n ** 12n } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-batches-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  await addAccount(store, { id: 'acc', balance });
  await addToken(store, { id: 'tok', account_id: 'acc' });
  const clock = { ms: Date.now(), now: () => clock.ms };
  const catalogue = await LiveCatalogue.open(async () => offer(model({ price: PRICE }), facts('a')));
  const blobs = new FolderBlobs(folder);
  const calls: string[] = [];
  const behaviour: { now: Behaviour } = { now: (_, charge) => charge() };
  const rowOf = (call: LineCall, charge: bigint): RequestRow =>
    requestRow({ id: call.requestId, account_id: 'acc', token_id: 'tok', charge });

  /** What a process of this name works with. */
  const dependenciesOf = (owner: string, ledgerStore: Store = store): BatchDependencies => ({
    store,
    files: { store, blobs, clock, maxFileBytes: 10 ** 6, maxAccountBytes: 10 ** 7, maxInlineBytes: 10 ** 6 },
    kept: { size: async () => undefined },
    catalogue,
    clock,
    ledgerDependencies: { store: ledgerStore, clock, owner },
    owner,
    concurrency: 8,
    maxBodyBytes: 10 ** 6,
    async runLine(call) {
      calls.push(call.requestId);
      await behaviour.now(call, async (amount = CHARGE) => {
        call.onAnswer({ status: 200, body: Buffer.from(`{"said":"${(await call.readBody()).length}"}`) });
        assert.equal(await call.ledger.settle(rowOf(call, amount)), 'settled');
      });
    },
    isBusy: () => false,
    openRequests: () => 0,
    creating: new Set(),
    wake() {},
    onError: (error) => assert.fail(String(error)),
  });

  const lineText = (customId: string): string => {
    const body = { model: 'm', max_tokens: 10, messages: [{ role: 'user', content: 'hi' }] };
    return JSON.stringify({ custom_id: customId, method: 'POST', url: ENDPOINT, body });
  };

  const input = async (text: string): Promise<string> => {
    const bytes = Buffer.from(text);
    await blobs.put('file_input', {
      length: bytes.length,
      async *open() {
        yield bytes;
      },
    });
    return 'file_input';
  };

  const begin = async (customIds: readonly string[], owner = 'a', through = store): Promise<BatchRow> => {
    const dependencies = { ...dependenciesOf(owner), store: through };
    const key = await input(customIds.map(lineText).join('\n'));
    const opened = await blobs.open(key);
    assert.ok(opened);
    const plan = await planLines(dependencies, {
      endpoint: ENDPOINT,
      kind: jsonPaths[ENDPOINT],
      principal: principal(),
      input: opened,
    });
    const facts = {
      style: 'openai',
      endpoint: ENDPOINT,
      input_file_id: key,
      headers: '{}',
      completion_window: '24h',
      metadata: null,
      output_seconds: null,
    } as const;
    const made = await startBatch(dependencies, { principal: principal(), inputBlob: () => key, ...facts }, plan);
    await look(made.id);
    return found(made.id);
  };

  const found = async (id: string): Promise<BatchRow> => {
    const row = await findBatch(store.reads, id);
    assert.ok(row);
    return row;
  };

  const look = async (id: string, owner = 'a'): Promise<BatchRow> => {
    while (await advanceBatch(dependenciesOf(owner), await found(id), SILENCE));
    return found(id);
  };

  const claim = async (owner: string, limit = 100, most = 100): Promise<LineRow[]> => {
    await heartbeat(store, owner);
    const asked = { owner, dueAt: clock.ms, now: await store.now(), leaseSeconds: 600, silence: SILENCE };
    return claimLines(store, { ...asked, most, limit, except: [] });
  };

  const run = async (owner: string, line: LineRow, ledgerStore?: Store): Promise<void> => {
    const dependencies = {
      ...dependenciesOf(owner, ledgerStore),
      principals: new LinePrincipals({ store, clock }),
      pause() {},
    };
    await runLine(dependencies, await found(line.batch_id), line);
  };

  return {
    store,
    clock,
    blobs,
    calls,
    behaviour,
    dependenciesOf,
    begin,
    found,
    look,
    claim,
    run,
    /** The process is gone, with all that it had under way. */
    die: (owner: string) => removeProcess(store, owner),
    async settles() {
      const rows = await listLedger(store.reads, { limit: 1_000 });
      return rows.filter(({ kind }) => kind === 'settle').map(({ request_id, amount }) => `${request_id} ${amount}`);
    },
    async linesOf(fileId: string | null) {
      const text = fileId === null ? undefined : await readBlob(blobs, fileId);
      return text === undefined
        ? []
        : String(text)
            .trim()
            .split('\n')
            .map(
              (line) => JSON.parse(line) as { custom_id: string; response: unknown; error: { code: string } | null },
            );
    },
    async booksAgree() {
      assert.deepEqual(await reconcile(store), []);
      assert.deepEqual(await store.reads.selectFrom('holds').select('id').execute(), []);
    },
  };
}
