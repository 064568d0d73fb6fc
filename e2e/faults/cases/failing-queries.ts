// The k-th query of a request fails, for every k and every kind of request (FT-07): each leaves a legal state.
import assert from 'node:assert/strict';
import { pause } from '../../support/wait.ts';
import { chat, type JournalEntry } from '../chat-client.ts';
import { BOTH, type Bench, type Fault, type StoreName } from '../command/fault.ts';
import { Operator, TOKENS_MODEL, untilOffered } from '../operator.ts';
import { readBooks } from '../reconcile.ts';
import { breakQueries, failQuery, type FailMode, hasFailed } from '../rig/failing-queries.ts';
import { reconcile } from '../rig/records/four-sums.ts';
import { startOwnGateway } from '../rig/own-gateway.ts';
import { StubProvider } from '../rig/providers/stub-provider.ts';
import {
  bringDeadlines,
  bringLeases,
  checkTasks,
  readTasks,
  startStubbedVideos,
  submitVideo,
  untilTasksEnded,
} from '../rig/providers/video-side.ts';

/** Far more queries than any request makes, background included. */
const MOST_QUERIES = 150;
const MODES: readonly FailMode[] = ['not-sent', 'answer-lost'];
type Kind = 'whole' | 'stream' | 'video' | 'credit';
/**
 * Queries that each kind makes, or a few less: where a sweep ends before, queries have found a way past the wrapper. Seen
 * were 2, 2, 25 to 42 and 13 to 15 on SQLite, 18, 18, 56 to 73 and 14 to 18 on PostgreSQL, looks at tasks among them.
 */
const LEAST_QUERIES: Record<StoreName, Record<Kind, number>> = {
  sqlite: { whole: 2, stream: 2, video: 21, credit: 12 },
  postgres: { whole: 16, stream: 16, video: 40, credit: 12 },
};

export const failingQueries: Fault = {
  id: 'FT-07',
  title: 'the k-th query fails, k swept over each kind of request',
  stores: BOTH,
  rounds: 1,
  async run(bench) {
    const settings = await bench.makeSettings();
    const stub = await StubProvider.start();
    bench.atEnd(() => stub.stop());
    const gateway = await startOwnGateway(settings);
    bench.atEnd(() => gateway.stop(1_000));
    const { address } = gateway;
    const operator = new Operator(address);
    await operator.offerModels(stub.baseUrl);
    const videos = await startStubbedVideos(operator);
    bench.atEnd(() => videos.stub.stop());
    const account = await operator.addAccount('1000000');
    const { key } = await operator.addToken(account);
    await untilOffered(address, key, videos.model);

    const journal: JournalEntry[] = [];
    const ids: string[] = [];
    let number = 0;
    const call = async (stream: boolean): Promise<number | undefined> => {
      const maxTokens = 1_000 + number++;
      const entry = await chat({ address, key, model: TOKENS_MODEL, text: 'Hello', stream, maxTokens });
      journal.push(entry);
      return entry.status;
    };
    const kinds: Work = {
      whole: () => call(false),
      stream: () => call(true),
      async video() {
        const { status, id } = await submitVideo(address, key, `query ${number++}`);
        if (id !== undefined) ids.push(id);
        await pause(150); // the first polls
        return status;
      },
      async credit() {
        const body = { amount: '1', note: `query ${number++}` };
        await operator.send('POST', `/accounts/${account}/credits`, body).catch(() => {});
        return 200;
      },
    };
    const breaking = breakQueries();
    bench.atEnd(() => breaking.restore());
    const swept = await sweep(bench, kinds);
    breaking.restore();
    await pause(1_000);
    assert.equal(await call(false), 200, 'well again after all');
    bench.note(swept);
    await pause(bench.store === 'sqlite' ? 500 : 1_500);
    await bringLeases(settings);
    await bringDeadlines(settings);
    await untilTasksEnded(settings, 40_000);
    checkTasks(await readTasks(settings), await readBooks(settings), { stub: videos.stub, ids });
    return reconcile(settings, { journal, records: stub.records, videos: ids });
  },
};

type Work = Record<Kind, () => Promise<number | undefined>>;

async function sweep(bench: Bench, kinds: Work): Promise<string> {
  const swept: string[] = [];
  for (let round = 0; round < bench.rounds; round++) {
    for (const [name, work] of Object.entries(kinds) as [Kind, Work[Kind]][]) {
      for (const mode of MODES) {
        let k = 1;
        for (; k <= MOST_QUERIES; k++) {
          failQuery(k, mode);
          const status = await work();
          assert.ok(
            status !== undefined && [200, 401, 500, 503].includes(status),
            `${name}, query ${k} ${mode}: ${status}`,
          );
          if (!hasFailed()) break;
        }
        const least = LEAST_QUERIES[bench.store][name];
        assert.ok(k > least, `only ${k - 1} queries of ${name} failed (${mode}), it makes ${least} and more`);
        swept.push(`${name} ${k - 1} (${mode})`);
      }
    }
  }
  return `queries failed one by one: ${swept.join(', ')}`;
}
