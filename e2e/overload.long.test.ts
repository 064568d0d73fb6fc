// More than the gateway can do: the excess is refused with 503 and Retry-After, another token hardly notices the burst, and
// all is as before when it is over (promises B-08, B-09).
import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { test } from 'node:test';
import { startSandbox } from '../server/src/sandbox/server.ts';
import { onEveryStoreSettings } from '../server/src/testing/stores.ts';
import { startGatewayProcess } from './faults/gateway-process.ts';
import { FLAT_MODEL, Operator, untilOffered } from './faults/operator.ts';
import { checkBooks, readBooks, untilNoOpenHold } from './faults/reconcile.ts';

/** So small a heap means some hundred open requests (at least 500), of which one token gets half. */
const SMALL = { NODE_OPTIONS: '--max-old-space-size=128' };
const SHARE = { least: 250, most: 400 };
const BURST = 700;
const QUIET_CALLS = 60;
/** The upstream thinks until the whole burst has come, on a busy machine too, so that no request takes the slot of another. */
const [SLOW, QUICK] = ['[[slow 9000]]', 'Hello!'];

interface Seen {
  status: number;
  retryAfter: string | undefined;
  text: string;
  ms: number;
}

function call(port: number, options: { key: string; agent: Agent; content: string }): Promise<Seen> {
  const { key, agent, content } = options;
  const body = JSON.stringify({ model: FLAT_MODEL, messages: [{ role: 'user', content }] });
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const asked = request(
      { host: '127.0.0.1', port, path: '/v1/chat/completions', method: 'POST', agent, headers },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.once('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            retryAfter: response.headers['retry-after'],
            text,
            ms: performance.now() - startedAt,
          }),
        );
        response.once('error', reject);
      },
    );
    asked.once('error', reject);
    asked.end(body);
  });
}

function quantile(seen: readonly Seen[], part: number): number {
  const sorted = seen.map(({ ms }) => ms).sort((a, b) => a - b);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN);
}

onEveryStoreSettings((makeSettings) => {
  test('a burst of one token is shed in part, spares another token, and leaves nothing behind', async (t) => {
    const settings = await makeSettings();
    const upstream = await startSandbox();
    t.after(() => upstream.stop());
    const gateway = await startGatewayProcess(settings, { environment: SMALL });
    t.after(() => gateway.end('SIGKILL'));
    const operator = new Operator(gateway.address);
    await operator.offerModels(upstream.baseUrl('openai'));
    const [loud, quiet] = await Promise.all(
      ['loud', 'quiet'].map(async () => (await operator.addToken(await operator.addAccount('1000000'))).key),
    );
    assert.ok(loud !== undefined && quiet !== undefined);
    await untilOffered(gateway.address, quiet, FLAT_MODEL);
    const quietAgent = new Agent({ keepAlive: true, maxSockets: 1 });
    const loudAgent = new Agent({ keepAlive: true, maxSockets: BURST });
    t.after(() => [quietAgent, loudAgent].forEach((agent) => agent.destroy()));
    const callQuietly = async (goOn: (calls: number) => boolean): Promise<Seen[]> => {
      const seen: Seen[] = [];
      while (goOn(seen.length)) seen.push(await call(gateway.port, { key: quiet, agent: quietAgent, content: QUICK }));
      return seen;
    };
    const before = await callQuietly((calls) => calls < QUIET_CALLS);

    let isOver = false;
    const options = { key: loud, agent: loudAgent, content: SLOW };
    const burst = Promise.all(Array.from({ length: BURST }, () => call(gateway.port, options))).finally(() => {
      isOver = true;
    });
    const during = await callQuietly(() => !isOver);
    const answers = await burst;
    const after = await callQuietly((calls) => calls < QUIET_CALLS);

    const refused = answers.filter(({ status }) => status !== 200);
    t.diagnostic(
      `burst: ${answers.length - refused.length} served, ${refused.length} refused, p50 ${quantile(answers, 0.5)} ms; the other ` +
        `token's p99 ${quantile(before, 0.99)} ms before, ${quantile(during, 0.99)} ms (${during.length} calls) during, ${quantile(after, 0.99)} ms after`,
    );
    const served = answers.length - refused.length;
    assert.ok(served >= SHARE.least && served <= SHARE.most, `${served} were served`);
    for (const { status, retryAfter, text } of refused) {
      assert.equal(status, 503);
      assert.match(retryAfter ?? '', /^[1-9]\d*$/);
      assert.match(text, /"code":"overloaded"/);
    }
    for (const { status, text } of [...before, ...during, ...after]) assert.equal(status, 200, text);
    assert.ok(during.length >= 3, 'the burst was over too soon to prove anything');
    await untilNoOpenHold(settings, 5_000);
    checkBooks(await readBooks(settings));
  });
});
