import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { Ledger } from '../billing/ledger.ts';
import { formatAmount } from '../billing/money.ts';
import { openaiChat, readChat } from '../protocols/openai-chat/index.ts';
import { facts } from '../routing/testing/offered.ts';
import type { Store } from '../store/store.ts';
import { addAccount, addToken } from '../testing/fixtures.ts';
import { model, offer, principal } from '../testing/offer.ts';
import { RecordedReply } from '../testing/recorded-reply.ts';
import { openSqlite } from '../testing/sqlite-store.ts';
import { writtenText } from '../testing/written-text.ts';
import { Bill } from './bill.ts';
import { foreseeHold, type HeldMoney, holdMoney } from './hold-money.ts';

const offered = model();
const catalogue = offer(offered, facts('a'));
const HEADER = 'x-tollgate-max-tokens';

async function hold(
  t: TestContext,
  { balance, fitBalance, fields }: { balance: bigint; fitBalance: boolean; fields: object },
): Promise<{ store: Store; reply: RecordedReply; held: Promise<HeldMoney>; amount: bigint; foreseen: bigint }> {
  const store = await openSqlite(t);
  await addAccount(store, { id: 'acc', balance });
  await addToken(store, { id: 'tok', account_id: 'acc' });
  const body = { model: 'm', messages: [{ role: 'user', content: 'hello' }], ...fields };
  const request = readChat(Buffer.from(JSON.stringify(body)));
  const billing = { model: offered, group: 'default', protocol: openaiChat };
  const bill = new Bill(catalogue, { ...billing, request });
  const reply = new RecordedReply();
  const ledger = new Ledger({ store, clock: { now: () => Date.now() }, owner: 'proc_1' });
  const shared = { ledger, catalogue, billing, request, bill };
  const holder = principal({ fitBalance });
  const { amount: foreseen } = await foreseeHold({ ...shared, principal: holder });
  const held = holdMoney({
    ...shared,
    call: { requestId: 'req_1', principal: holder, reply },
    lifetime: 60,
  });
  held.catch(() => {}); // looked at later
  return { store, reply, held, amount: bill.holdAmount, foreseen };
}

const holdsOf = async ({ reads }: Store): Promise<bigint[]> =>
  (await reads.selectFrom('holds').select('amount').execute()).map(({ amount }) => amount);

test('the hold is durable with its price when it resolves, and the request is left as it is (promises M-01, M-13)', async (t) => {
  const { store, reply, held, amount } = await hold(t, {
    balance: 1_000_000_000n,
    fitBalance: true,
    fields: { max_tokens: 100 },
  });
  const { request } = await held;
  assert.deepEqual([request.maxOutputTokens, await holdsOf(store)], [100, [amount]]);
  const { price } = await store.reads.selectFrom('holds').select('price').executeTakeFirstOrThrow();
  assert.match(price, /"multiplier":"1"/);
  assert.equal(reply.headers[HEADER], undefined);
});

test('too little money is refused before anything is held, and the field that makes it cheaper is named (promise M-14)', async (t) => {
  const { store, held } = await hold(t, { balance: 100_000n, fitBalance: false, fields: { max_tokens: 1_000 } });
  await assert.rejects(held, { code: 'insufficient_quota', status: 402, message: /or lower max_tokens/ });
  assert.deepEqual(await holdsOf(store), []);
});

test('a token that fits its balance gets the longest answer that can be paid for, and is shown its limit', async (t) => {
  const balance = 500_000n;
  const { store, reply, held } = await hold(t, { balance, fitBalance: true, fields: { max_tokens: 1_000 } });
  const { request } = await held;
  const limit = request.maxOutputTokens ?? 0;
  assert.ok(limit >= 16 && limit < 1_000, String(limit));
  assert.equal(reply.headers[HEADER], String(limit));
  const sent = JSON.parse(writtenText(request.write({ upstreamModel: 'up', dropFields: [] }))) as object;
  assert.deepEqual({ ...sent, messages: [] }, { model: 'up', messages: [], max_tokens: limit });
  const [amount = 0n] = await holdsOf(store);
  assert.ok(amount <= balance && amount + 2_000n > balance, `one token more would not fit: ${amount}`);
});

test('where not even a short answer can be paid for, it is refused', async (t) => {
  const { store, reply, held } = await hold(t, { balance: 30_000n, fitBalance: true, fields: { max_tokens: 1_000 } });
  await assert.rejects(held, { code: 'insufficient_quota' });
  assert.deepEqual([await holdsOf(store), reply.headers[HEADER]], [[], undefined]);
});

test('what is foreseen for a quote is what is then held, or what the refusal says (contract 6)', async (t) => {
  const usual = 8_200_000n; // 4,096 tokens of output at 2 per million, and some input
  for (const fitBalance of [false, true])
    for (const fields of [{}, { max_tokens: 1_000 }])
      for (const balance of [30_000n, 500_000n, 9_000_000n, 60_000_000n, 1_000_000_000n]) {
        const { store, held, foreseen } = await hold(t, { balance, fitBalance, fields });
        const refusal = await held.then(
          () => undefined,
          ({ message }: Error) => message,
        );
        if (refusal === undefined) assert.deepEqual(await holdsOf(store), [foreseen]);
        else assert.ok(refusal.includes(`may cost up to ${formatAmount(foreseen)}.`), refusal);
        if (balance === 9_000_000n && !('max_tokens' in fields)) assert.notEqual(foreseen > usual * 2n, fitBalance);
      }
});
