// What a start makes on empty data: the first operator, and with the sandbox a demo account with credit and a token, so that
// the first call works at once. The sandbox's channel and models are made whenever they are missing.
import { accountCreate } from '#contract/accounts.ts';
import { channelCreate } from '#contract/channels.ts';
import { modelPut } from '#contract/models.ts';
import { tokenCreate } from '#contract/tokens.ts';
import { makeChange } from './operator/make-change.ts';
import { createAccount } from './operator/records/accounts.ts';
import { createChannel } from './operator/records/channels.ts';
import { addCredit } from './operator/records/credits.ts';
import { putModel } from './operator/records/models.ts';
import { createOperator } from './operator/records/operators.ts';
import { createToken } from './operator/records/tokens.ts';
import { hashPassword } from './operator/sign-in/password.ts';
import type { Clock } from './shared/clock.ts';
import { randomLetters } from './shared/ids.ts';
import type { SecretBox } from './shared/secret-box.ts';
import type { Store } from './store/store.ts';

export interface FirstStart {
  operatorName: string;
  /** null when the operator chose it by setting. */
  password: string | null;
  demo: { key: string; model: string } | null;
}

interface FirstStartParts {
  store: Store;
  clock: Clock;
  secretBox: SecretBox;
  sandbox: boolean;
  password: string | undefined;
}

const AUTHOR = 'first start';
const OPERATOR = 'admin';
const SANDBOX_CHANNEL = 'sandbox';
const DEMO_MODEL = 'sandbox-chat';
const DEMO_CREDIT = '100';

const sandboxModels = [
  { id: DEMO_MODEL, price: { unit: 'tokens', input: '2.5', output: '10', cached_input: '1.25' } },
  { id: 'sandbox-chat-flat', price: { unit: 'request', amount: '0.01' } },
];

/** undefined when the data was not empty. */
export async function prepareData(parts: FirstStartParts): Promise<FirstStart | undefined> {
  const first = await makeFirstOperator(parts);
  if (parts.sandbox) await makeSandbox(parts);
  if (first === undefined) return undefined;
  return { ...first, demo: parts.sandbox ? await makeDemo(parts) : null };
}

async function makeFirstOperator(
  parts: FirstStartParts,
): Promise<Pick<FirstStart, 'operatorName' | 'password'> | undefined> {
  const exists = await parts.store.reads.selectFrom('operators').select('id').limit(1).executeTakeFirst();
  if (exists !== undefined) return undefined;
  const password = parts.password ?? randomLetters(20);
  const passwordHash = await hashPassword(password);
  const made = await change(parts, async (transaction, at) => {
    const other = await transaction.selectFrom('operators').select('id').limit(1).executeTakeFirst();
    if (other !== undefined) return { answer: false, audit: null, notice: null }; // another process was faster
    const mustChangePassword = parts.password === undefined;
    const operator = await createOperator(
      transaction,
      { name: OPERATOR, passwordHash, role: 'admin', mustChangePassword },
      at,
    );
    return {
      answer: true,
      audit: { action: 'operator.create', id: operator.id, detail: { name: OPERATOR } },
      notice: null,
    };
  });
  if (!made) return undefined;
  return { operatorName: OPERATOR, password: parts.password === undefined ? password : null };
}

async function makeSandbox(parts: FirstStartParts): Promise<void> {
  const exists = await parts.store.reads
    .selectFrom('channels')
    .select('id')
    .where('sandbox', '=', 1)
    .executeTakeFirst();
  if (exists !== undefined) return;
  await change(parts, async (transaction, at) => {
    const other = await transaction.selectFrom('channels').select('id').where('sandbox', '=', 1).executeTakeFirst();
    if (other !== undefined) return { answer: null, audit: null, notice: null };
    for (const { id, price } of sandboxModels) {
      const model = modelPut.parse({ owned_by: 'tollgate', endpoint_types: ['compat'], enabled: true, price });
      await putModel(transaction, { ...model, id, sandbox: true }, at);
    }
    const channel = channelCreate.parse({
      name: SANDBOX_CHANNEL,
      provider: 'openai',
      base_url: 'http://127.0.0.1/openai/v1', // the sandbox's port is chosen anew at each start
      keys: ['sandbox'],
      models: Object.fromEntries(sandboxModels.map(({ id }) => [id, id])),
    });
    const made = await createChannel(transaction, { ...channel, sandbox: true }, { secretBox: parts.secretBox, at });
    return {
      answer: null,
      audit: { action: 'channel.create', id: made.id, detail: { name: SANDBOX_CHANNEL } },
      notice: 'catalogue',
    };
  });
}

async function makeDemo(parts: FirstStartParts): Promise<NonNullable<FirstStart['demo']>> {
  return change(parts, async (transaction, at) => {
    const account = await createAccount(transaction, accountCreate.parse({ name: 'demo' }), at);
    await addCredit(
      transaction,
      { accountId: account.id, amount: DEMO_CREDIT, note: 'demo credit', author: AUTHOR },
      at,
    );
    const { token, key } = await createToken(
      transaction,
      tokenCreate.parse({ account_id: account.id, name: 'demo' }),
      at,
    );
    return {
      answer: { key, model: DEMO_MODEL },
      audit: { action: 'token.create', id: token.id, detail: { name: 'demo' } },
      notice: 'token',
    };
  });
}

function change<T>(parts: FirstStartParts, work: Parameters<typeof makeChange<T>>[2]): Promise<T> {
  return makeChange({ ...parts, onChange: async () => {} }, AUTHOR, work);
}
