// SIGTERM under live streams (FT-20, promise O-01): every stream ends properly and is charged, nobody new is let in.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startSandbox } from '../../server/src/sandbox/server.ts';
import { onEveryStoreSettings } from '../../server/src/testing/stores.ts';
import { waitUntil } from '../support/wait.ts';
import { chat } from './chat-client.ts';
import { startGatewayProcess } from './gateway-process.ts';
import { Operator, TOKENS_MODEL, untilOffered } from './operator.ts';
import { checkBooks, checkJournal, checkUpstream, readBooks, settlesOf } from './reconcile.ts';

const STREAMS = 30;

function within<T>(milliseconds: number, work: Promise<T>): Promise<T | 'not yet'> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'not yet'>((resolve) => {
    timer = setTimeout(() => resolve('not yet'), milliseconds);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

describe('SIGTERM', { concurrency: true }, () => {
  onEveryStoreSettings((makeSettings) => {
    test(`SIGTERM under ${STREAMS} live streams: all end with [DONE], each is charged, exit code 0`, async (t) => {
      const settings = await makeSettings();
      const upstream = await startSandbox();
      t.after(() => upstream.stop());
      const gateway = await startGatewayProcess(settings);
      t.after(() => gateway.end('SIGKILL'));
      const operator = new Operator(gateway.address);
      await operator.offerModels(upstream.baseUrl('openai'));
      const { key } = await operator.addToken(await operator.addAccount('1000000'));
      await untilOffered(gateway.address, key, TOKENS_MODEL);
      const call = { address: gateway.address, key, model: TOKENS_MODEL, stream: true };

      const streams = Array.from({ length: STREAMS }, (_, index) =>
        chat({ ...call, text: `[[long ${60 + index}]] [[pace 180]]`, maxTokens: 1_000 + index }),
      );
      const wholes = Array.from({ length: 5 }, (_, index) =>
        chat({ ...call, stream: false, text: '[[slow 12000]]', maxTokens: 2_000 + index }),
      );
      const arrived = (): number => upstream.records.filter(({ body }) => body !== null).length;
      await waitUntil(() => arrived() === STREAMS + wholes.length, 'not all calls reached the upstream');
      await new Promise((resolve) => setTimeout(resolve, 200));
      assert.ok(
        upstream.records.every(({ finished }) => !finished),
        'all calls are live at the signal',
      );

      const ended = gateway.end('SIGTERM');
      await new Promise((resolve) => setTimeout(resolve, 150));
      for (let attempt = 0; attempt < 5; attempt++) {
        const late = await chat({ ...call, text: 'too late', maxTokens: 3_000 + attempt });
        assert.ok(late.status === undefined || late.status === 503, `a late call got ${late.status}`);
      }

      const journal = await Promise.all([...streams, ...wholes]);
      for (const { status, complete, failure, code } of journal)
        assert.deepEqual(
          { status, complete, failure, code },
          { status: 200, complete: true, failure: undefined, code: undefined },
        );
      assert.deepEqual(
        await within(60_000, ended),
        { code: 0, signal: null },
        `soon after its last answer ${gateway.lastWords()}`,
      );

      const books = await readBooks(settings);
      checkBooks(books);
      assert.equal(checkJournal(books, journal), STREAMS + wholes.length);
      for (const { requestId } of journal) assert.equal(settlesOf(books, requestId ?? '').length, 1);
      checkUpstream(books, upstream.records);
      assert.equal(books.holds.length, STREAMS + wholes.length, 'late calls held nothing');
    });

    test('SIGTERM with nothing to do: the process ends at once, with open idle connections too', async () => {
      const gateway = await startGatewayProcess(await makeSettings());
      await fetch(`${gateway.address}/healthz`).then((response) => response.text());
      const exit = await within(60_000, gateway.end('SIGTERM'));
      await gateway.end('SIGKILL');
      assert.deepEqual(exit, { code: 0, signal: null }, gateway.lastWords());
    });
  });
});
