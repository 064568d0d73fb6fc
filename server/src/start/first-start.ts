// What a start makes on empty data: the first operator, and with the sandbox a demo account with credit and a token, so that
// the first call works at once. The sandbox's channel and models are made whenever they are missing.
import { accountCreate } from '#contract/accounts.ts';
import { channelCreate } from '#contract/channels.ts';
import { modelPut } from '#contract/models.ts';
import { tokenCreate } from '#contract/tokens.ts';
import { makeChange } from '../operator/make-change.ts';
import { createAccount } from '../operator/records/accounts.ts';
import { createChannel } from '../operator/records/channels.ts';
import { addCredit } from '../operator/records/credits.ts';
import { putModel } from '../operator/records/models.ts';
import { createOperator } from '../operator/records/operators.ts';
import { makeAccessToken } from '../access/access-token.ts';
import { createToken } from '../operator/records/tokens.ts';
import { hashPassword } from '../operator/sign-in/password.ts';
import type { SandboxProvider } from '../sandbox/server.ts';
import type { Clock } from '../shared/clock.ts';
import { randomLetters } from '../shared/ids.ts';
import type { SecretBox } from '../shared/secret-box.ts';
import { findModel } from '../store/queries/models.ts';
import type { Store, Transaction } from '../store/store.ts';

export interface FirstStart {
  operatorName: string;
  /** null when the operator chose it by setting. */
  password: string | null;
  demo: { key: string; model: string } | null;
}

interface FirstStartDependencies {
  store: Store;
  clock: Clock;
  secretBox: SecretBox;
  /** Address of the sandbox for a provider, chosen at each start; undefined = off. */
  sandboxUrl: ((provider: SandboxProvider) => string) | undefined;
  password: string | undefined;
}

const AUTHOR = 'first start';
const OPERATOR = 'admin';
const DEMO_MODEL = 'sandbox-chat';
const DEMO_CREDIT = '100';

const textPrice = { unit: 'tokens', input: '2.5', output: '10', cached_input: '1.25' } as const;

interface SandboxModel {
  id: string;
  /** The name that the sandbox knows it by, where it is not the id. */
  upstream?: string;
  types: readonly string[];
  price: object;
}

interface SandboxChannel {
  name: string;
  provider: SandboxProvider;
  priority?: number;
  models: readonly SandboxModel[];
}

/** The video models have the names of real ones, so whatever real channel carries them comes first. */
const LAST_PRIORITY = -1_000_000;
const alphaPrice = { unit: 'second', amount: '0.14', resolution: { '720P': '1', '1080P': '1.78' } };
const betaPrice = { unit: 'video_tokens', generate: '7', video_input: '4.3' };

/** One model for each kind of call, and every video model, on the channel of the provider that answers it. */
const sandboxChannels: readonly SandboxChannel[] = [
  {
    name: 'sandbox',
    provider: 'openai',
    models: [
      { id: DEMO_MODEL, types: ['compat', 'compat-response'], price: textPrice },
      { id: 'sandbox-chat-flat', types: ['compat'], price: { unit: 'request', amount: '0.01' } },
      { id: 'sandbox-embedding', types: ['embeddings'], price: { unit: 'tokens', input: '0.1', output: '0' } },
      { id: 'sandbox-moderation', types: ['compat'], price: { unit: 'tokens', input: '0', output: '0' } },
      {
        id: 'sandbox-image',
        types: ['image-generation'],
        price: { unit: 'image', amount: '0.04', by: { '1024x1024/hd': '0.08' } },
      },
      { id: 'sandbox-speech', types: ['compat'], price: { unit: 'characters', amount: '15' } },
      { id: 'sandbox-transcribe', types: ['compat'], price: { unit: 'audio_second', amount: '0.0001' } },
    ],
  },
  {
    name: 'sandbox-anthropic',
    provider: 'anthropic',
    models: [{ id: 'sandbox-messages', types: ['compat', 'compat-response'], price: textPrice }],
  },
  {
    name: 'sandbox-gemini',
    provider: 'gemini',
    models: [
      { id: 'sandbox-generate', types: ['compat', 'compat-response'], price: textPrice },
      { id: 'sandbox-generate-embedding', types: ['embeddings'], price: { unit: 'tokens', input: '0.1', output: '0' } },
    ],
  },
  {
    name: 'sandbox-rerank',
    provider: 'rerank',
    models: [{ id: 'sandbox-rerank', types: ['rerank'], price: { unit: 'search', amount: '0.002' } }],
  },
  {
    name: 'sandbox-alpha',
    provider: 'alpha',
    priority: LAST_PRIORITY,
    models: ['1.1-t2v', '1.1-i2v', '1.1-r2v', '1.0-t2v', '1.0-i2v', '1.0-r2v', '1.0-video-edit'].map((kind) => ({
      id: `alpha-${kind}`,
      upstream: `happyhorse-${kind}`,
      types: ['compat-video'],
      price: alphaPrice,
    })),
  },
  {
    name: 'sandbox-beta-video',
    provider: 'beta-video',
    priority: LAST_PRIORITY,
    models: ['1-0-lite-t2v', '1-0-lite-i2v', '1-0-pro-250528', '1-5-pro-251215', '2-0-260128', '2-0-fast-260128'].map(
      (kind) => ({
        id: `beta-${kind}`,
        upstream: `doubao-seedance-${kind}`,
        types: ['compat-video'],
        price: betaPrice,
      }),
    ),
  },
];

/** undefined when the data was not empty. */
export async function prepareData(dependencies: FirstStartDependencies): Promise<FirstStart | undefined> {
  const first = await makeFirstOperator(dependencies);
  if (dependencies.sandboxUrl !== undefined) await makeSandbox(dependencies, dependencies.sandboxUrl);
  if (first === undefined) return undefined;
  return { ...first, demo: dependencies.sandboxUrl === undefined ? null : await makeDemo(dependencies) };
}

async function makeFirstOperator(
  dependencies: FirstStartDependencies,
): Promise<Pick<FirstStart, 'operatorName' | 'password'> | undefined> {
  const exists = await dependencies.store.reads.selectFrom('operators').select('id').limit(1).executeTakeFirst();
  if (exists !== undefined) return undefined;
  const password = dependencies.password ?? randomLetters(20);
  const passwordHash = await hashPassword(password);
  const made = await change(dependencies, async (transaction, at) => {
    const other = await transaction.selectFrom('operators').select('id').limit(1).executeTakeFirst();
    if (other !== undefined) return { answer: false, audit: null, notice: null }; // another process was faster
    const mustChangePassword = dependencies.password === undefined;
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
  return { operatorName: OPERATOR, password: dependencies.password === undefined ? password : null };
}

async function makeSandbox(
  dependencies: FirstStartDependencies,
  sandboxUrl: (provider: SandboxProvider) => string,
): Promise<void> {
  for (const wanted of sandboxChannels) {
    const baseUrl = sandboxUrl(wanted.provider);
    await change(dependencies, async (transaction, at) => {
      const exists = await transaction
        .updateTable('channels') // each process calls its own sandbox; the row only shows operators where one is
        .set({ base_url: baseUrl })
        .where('sandbox', '=', 1)
        .where('provider', '=', wanted.provider)
        .returning('id')
        .executeTakeFirst();
      if (exists !== undefined) return { answer: null, audit: null, notice: null };
      const models = await makeSandboxModels(transaction, wanted.models, at);
      const channel = channelCreate.parse({
        name: wanted.name,
        provider: wanted.provider,
        base_url: baseUrl,
        keys: ['sandbox'],
        models: Object.fromEntries(models.map(({ id, upstream = id }) => [id, upstream])),
        priority: wanted.priority,
      });
      const made = await createChannel(
        transaction,
        { ...channel, sandbox: true },
        { secretBox: dependencies.secretBox, at },
      );
      const audit = { action: 'channel.create', id: made.id, detail: { name: wanted.name } };
      return { answer: null, audit, notice: 'catalogue' };
    });
  }
}

/** Gives those that the sandbox may serve: a model that an operator has put is left alone, and out. */
async function makeSandboxModels(
  transaction: Transaction,
  wanted: readonly SandboxModel[],
  at: number,
): Promise<SandboxModel[]> {
  const served: SandboxModel[] = [];
  for (const model of wanted) {
    const existing = await findModel(transaction, model.id);
    if (existing !== undefined && existing.sandbox === 0) continue;
    served.push(model);
    if (existing !== undefined) continue;
    const { id, types, price } = model;
    const input = modelPut.parse({ owned_by: 'tollgate', endpoint_types: types, enabled: true, price });
    await putModel(transaction, { ...input, id, sandbox: true }, at);
  }
  return served;
}

async function makeDemo(dependencies: FirstStartDependencies): Promise<NonNullable<FirstStart['demo']>> {
  return change(dependencies, async (transaction, at) => {
    const account = await createAccount(transaction, accountCreate.parse({ name: 'demo' }), at);
    await addCredit(
      transaction,
      { accountId: account.id, amount: DEMO_CREDIT, note: 'demo credit', author: AUTHOR },
      at,
    );
    const { key } = makeAccessToken();
    const input = tokenCreate.parse({ account_id: account.id, name: 'demo', key });
    const { token } = await createToken(transaction, input, at);
    return {
      answer: { key, model: DEMO_MODEL },
      audit: { action: 'token.create', id: token.id, detail: { name: 'demo' } },
      notice: 'token',
    };
  });
}

function change<T>(dependencies: FirstStartDependencies, work: Parameters<typeof makeChange<T>>[2]): Promise<T> {
  return makeChange({ ...dependencies, onChange: async () => {} }, AUTHOR, work);
}
