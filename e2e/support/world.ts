// A customer's small world inside a gateway: an account with credit, a token, one model with a price, and channels to the
// simulated upstream. Names are unique, so that tests can share a gateway and run side by side.
import { after, type TestContext } from 'node:test';
import type { Account } from '#contract/accounts.ts';
import type { Channel, ChannelCreate } from '#contract/channels.ts';
import type { ModelPut } from '#contract/models.ts';
import type { Token, TokenCreate } from '#contract/tokens.ts';
import type { SandboxRecord } from '../../server/src/sandbox/server.ts';
import { type GatewayOptions, startTestGateway, type TestGateway } from './gateway.ts';
import { assertMoneyAddsUp } from './money.ts';

export const PRICE = { unit: 'tokens', input: '2.5', output: '10', cached_input: '1.25' } as const;

export interface ChannelOptions extends Partial<Omit<ChannelCreate, 'models' | 'options'>> {
  /** Directives for the whole channel, as in a path: `slow-200,fail-500`. */
  behave?: string;
  options?: Record<string, unknown>;
}

export interface WorldOptions {
  credit?: string;
  account?: Record<string, unknown>;
  token?: Partial<Omit<TokenCreate, 'account_id'>>;
  model?: Partial<ModelPut>;
  /** One ordinary channel by default. */
  channels?: ChannelOptions[];
}

export interface World {
  gateway: TestGateway;
  account: Account;
  token: Token;
  key: string;
  model: string;
  channels: Channel[];
  /** What the upstream saw of this world, or of one of its channels. */
  calls(channel?: number): SandboxRecord[];
}

let names = 0;

export function uniqueName(kind: string): string {
  return `${kind}-${process.pid}-${++names}`;
}

/** Checks the world's books when the test ends. */
export async function makeWorld(gateway: TestGateway, test: TestContext, options: WorldOptions = {}): Promise<World> {
  const name = uniqueName('world');
  const account = await makeAccount(gateway, { name, credit: options.credit ?? '100', ...options.account });
  const model = `sandbox-${name}`;
  await gateway.operator('PUT', `/models/${model}`, { price: PRICE, ...options.model });
  const channels: Channel[] = [];
  for (const [index, channel] of (options.channels ?? [{}]).entries())
    channels.push(await makeChannel(gateway, { [model]: `${model}.${index}` }, channel));
  const { key, ...token } = await makeToken(gateway, { account_id: account.id, ...options.token });
  test.after(() => assertMoneyAddsUp(gateway, account.id));
  const calls = (channel?: number): SandboxRecord[] =>
    gateway.upstream.records.filter(({ body }) => {
      const asked = (body as { model?: unknown } | null)?.model;
      return channel === undefined ? String(asked).startsWith(`${model}.`) : asked === `${model}.${channel}`;
    });
  return { gateway, account, token, key, model, channels, calls };
}

export async function makeAccount(
  gateway: TestGateway,
  { credit, ...account }: { name: string; credit: string } & Record<string, unknown>,
): Promise<Account> {
  const made = await gateway.operator<Account>('POST', '/accounts', account);
  if (credit !== '0') await gateway.operator('POST', `/accounts/${made.id}/credits`, { amount: credit, note: 'test' });
  return made;
}

export function makeToken(
  gateway: TestGateway,
  token: Partial<TokenCreate> & { account_id: string },
): Promise<Token & { key: string }> {
  return gateway.operator('POST', '/tokens', { name: uniqueName('token'), ...token });
}

export function makeChannel(
  gateway: TestGateway,
  models: Record<string, string>,
  { behave, ...channel }: ChannelOptions = {},
): Promise<Channel> {
  return gateway.operator('POST', '/channels', {
    name: uniqueName('channel'),
    provider: 'openai',
    base_url: gateway.upstream.baseUrl('openai', behave),
    keys: ['upstream-key-0001'],
    models,
    ...channel,
  });
}

/** A gateway for all tests of a suite; ends with it, and with it ends the check of all its books. */
export async function suiteGateway(options: GatewayOptions = {}): Promise<TestGateway> {
  const gateway = await startTestGateway(options);
  after(async () => {
    try {
      await assertMoneyAddsUp(gateway);
    } finally {
      await gateway.stop();
    }
  });
  return gateway;
}
