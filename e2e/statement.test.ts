// The statement of an account for a month (contract-2 10).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Statement } from '#contract/statement.ts';
import { chat, readAnswer } from './support/chat.ts';
import { NO_DATABASE_SERVER, OPERATOR_KEY, startTestGateway } from './support/gateway.ts';
import { makeWorld } from './support/world.ts';

for (const postgres of [false, true]) {
  const skip = postgres ? NO_DATABASE_SERVER : false;
  test(
    `a statement adds up to the ledger, on ${postgres ? 'PostgreSQL' : 'SQLite'} (contract-2 10)`,
    { skip },
    async (t) => {
      const gateway = await startTestGateway({ postgres, settings: { TOLLGATE_CURRENCY: 'EUR' } });
      const world = await makeWorld(gateway, t, { credit: '7.25', account: { name: '<b>Acme</b>' } });
      t.after(() => gateway.stop()); // after the check of the books
      for (let count = 0; count < 3; count++) await readAnswer(await chat(world, 'hi'));
      await gateway.operator('POST', `/accounts/${world.account.id}/credits`, { amount: '-0.25', note: 'correction' });
      const month = new Date().toISOString().slice(0, 7);
      const path = `/accounts/${world.account.id}/statement`;
      const made = await gateway.operator<Statement>('GET', `${path}?month=${month}`);
      const token = await gateway.operator<{ used: string }>('GET', `/tokens/${world.token.id}`);
      const account = await gateway.operator<{ balance: string }>('GET', `/accounts/${world.account.id}`);
      assert.deepEqual([made.currency, made.opening_balance, made.credits], ['EUR', '0', '7']);
      assert.deepEqual([made.charges, made.closing_balance], [token.used, account.balance]);
      assert.deepEqual(made.models, [{ model: world.model, requests: 3, charges: token.used }]);
      assert.equal(
        made.days.reduce((sum, { requests }) => sum + requests, 0),
        3,
      );

      const get = (query: string, accept = '*/*') =>
        fetch(`${gateway.address}/operator/v1${path}${query}`, {
          headers: { authorization: `Bearer ${OPERATOR_KEY}`, accept },
        });
      const csv = await get('?format=csv');
      assert.equal(csv.headers.get('content-type'), 'text/csv; charset=utf-8');
      assert.match(await csv.text(), new RegExp(`^closing,${month},,,,,${account.balance}\r$`, 'm'));
      const html = await get('', 'text/html,*/*');
      assert.equal(html.headers.get('content-type'), 'text/html; charset=utf-8');
      const page = await html.text();
      assert.ok(page.includes('&lt;b&gt;Acme&lt;/b&gt;') && !page.includes('<b>'));
      assert.equal((await get('?month=2026-13')).status, 400);
      assert.equal((await get('?month=2090-01')).status, 400);
      const early = (await (await get('?month=2020-01')).json()) as Statement;
      assert.deepEqual([early.closing_balance, early.days], ['0', []]);
    },
  );
}
