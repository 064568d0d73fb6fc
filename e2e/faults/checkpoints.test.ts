// kill -9 in the middle of long streams (FT-02, "after first byte"): each is charged by its last checkpoint, which is never
// more than two seconds behind (promise M-06).
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startSandbox } from '../../server/src/sandbox/server.ts';
import { onEveryStoreSettings } from '../../server/src/testing/stores.ts';
import { startGatewayProcess } from './gateway-process.ts';
import { NANO_PER_TOKEN, Operator, TOKENS_MODEL, untilOffered } from './operator.ts';
import { checkBooks, readBooks, untilNoOpenHold } from './reconcile.ts';

const STREAMS = 8;
const PACE_MS = 40;
const RUN_MS = 4_200;
/** Two seconds, and a little for the way to the disk. */
const BEHIND_MS = 2_400;

interface Seen {
  requestId: string;
  /** When each event came. */
  times: number[];
}

async function follow(address: string, key: string): Promise<Seen> {
  const response = await fetch(`${address}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: TOKENS_MODEL,
      stream: true,
      max_tokens: 5_000,
      messages: [{ role: 'user', content: `Go on. [[long 2000]] [[pace ${PACE_MS}]]` }],
    }),
  });
  const seen: Seen = { requestId: response.headers.get('x-request-id') ?? '', times: [] };
  const read = async (): Promise<void> => {
    for await (const chunk of response.body ?? []) {
      const events = Buffer.from(chunk).toString().split('\n\n').length - 1;
      for (let i = 0; i < events; i++) seen.times.push(performance.now());
    }
  };
  read().catch(() => {}); // it breaks off with the process
  return seen;
}

describe('kill -9 in the middle of streams', { concurrency: true }, () => {
  onEveryStoreSettings((makeSettings) => {
    test('streams cut by a crash cost what their last checkpoint says', async (t) => {
      const settings = await makeSettings();
      const upstream = await startSandbox();
      t.after(() => upstream.stop());
      let gateway = await startGatewayProcess(settings);
      t.after(() => gateway.end('SIGKILL'));
      const operator = new Operator(gateway.address);
      await operator.offerModels(upstream.baseUrl('openai'));
      const { key } = await operator.addToken(await operator.addAccount('1000000'));
      await untilOffered(gateway.address, key, TOKENS_MODEL);

      const streams = await Promise.all(Array.from({ length: STREAMS }, () => follow(gateway.address, key)));
      await new Promise((resolve) => setTimeout(resolve, RUN_MS));
      const killedAt = performance.now();
      await gateway.end('SIGKILL');
      gateway = await startGatewayProcess(settings, { port: gateway.port });
      await untilNoOpenHold(settings, 60_000);

      const books = await readBooks(settings);
      checkBooks(books);
      for (const { requestId, times } of streams) {
        const settle = books.entries.find((entry) => entry.kind === 'settle' && entry.request_id === requestId);
        const hold = books.entries.find((entry) => entry.kind === 'hold' && entry.request_id === requestId);
        assert.ok(settle !== undefined && hold !== undefined, `${requestId} was released whole`);
        assert.deepEqual([settle.note, settle.usage_source], ['orphaned', 'counted']);
        const charged = Number(settle.amount / NANO_PER_TOKEN.output);
        const surely = times.filter((time) => time < killedAt - BEHIND_MS).length - 1; // the first event is no output
        assert.ok(charged >= surely, `${charged} tokens charged, ${surely} had come two seconds before the crash`);
        assert.ok(charged <= times.length + 1 && settle.amount <= hold.amount, `${charged} of ${times.length}`);
      }
    });
  });
});
