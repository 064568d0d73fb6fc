// Gives a fresh gateway what a console needs to show something: customers, channels that fail, a day of requests.
import type { Account } from '#contract/accounts.ts';
import type { Channel } from '#contract/channels.ts';
import type { LoggedRequest } from '#contract/requests.ts';
import type { Token } from '#contract/tokens.ts';
import type { TestGateway } from '../../support/gateway.ts';
import { fillVideos, type FilledVideos } from './fill-videos.ts';

export interface Filled {
  account: Account;
  token: Token;
  key: string;
  channel: Channel;
  /** One that was answered, and one that failed on every channel. */
  request: LoggedRequest;
  failed: LoggedRequest;
  videos: FilledVideos;
}

type WithKey = Token & { key: string };

/** Names that would be markup, script or layout if anything took them for more than text. */
export const HOSTILE = '<img src=x onerror=alert(1)>"\'`${7*7}{{7*7}}';

export async function fillGateway(gateway: TestGateway): Promise<Filled> {
  const { operator } = gateway;
  const account = await operator<Account>('POST', '/accounts', { name: 'Northwind Analytics' });
  await operator('POST', `/accounts/${account.id}/credits`, { amount: '250', note: 'invoice 2026-118' });
  const small = await operator<Account>('POST', '/accounts', { name: 'Harbour Labs', group: 'gold' });
  await operator('POST', `/accounts/${small.id}/credits`, { amount: '2', note: 'trial' });
  await operator('PUT', '/groups/gold', { multiplier: '0.8', description: 'Yearly contracts' });
  await operator('PUT', '/flags/early-access', { enabled: true, accounts: [account.id], groups: ['gold'] });
  await operator('POST', '/operators', { name: 'vera', password: 'a first password', role: 'viewer' });

  const url = gateway.upstream.baseUrl('openai');
  const channel = await operator<Channel>('POST', '/channels', {
    name: 'primary',
    provider: 'openai',
    base_url: url,
    keys: ['sk-upstream-0001', 'sk-upstream-0002'],
    models: { 'orion-large': 'sandbox-orion-large', 'orion-mini': 'sandbox-orion-mini' },
    priority: 10,
  });
  await operator('POST', '/channels', {
    name: 'flaky',
    provider: 'openai',
    base_url: gateway.upstream.baseUrl('openai', 'fail-500'),
    keys: ['sk-upstream-0003'],
    models: { 'orion-broken': 'sandbox-broken' },
  });
  await operator('PUT', '/models/orion-large', {
    price: { unit: 'tokens', input: '25', output: '100', cached_input: '12.5' },
  });
  await operator('PUT', '/models/orion-mini', {
    price: { unit: 'tokens', input: '2', output: '8' },
    flag: 'early-access',
  });
  await operator('PUT', '/models/orion-broken', { price: { unit: 'request', amount: '0.01' } });

  const { key, ...token } = await operator<WithKey>('POST', '/tokens', {
    account_id: account.id,
    name: 'reports service',
    models: ['orion-*', 'sandbox-*'],
    ip_allow: ['127.0.0.0/8', '::1'],
    quota: '50',
    rate: { rpm: 600, tpm: null, concurrency: 20 },
  });
  const second = await operator<WithKey>('POST', '/tokens', { account_id: small.id, name: 'notebook' });
  const test = await operator<WithKey>('POST', '/tokens', { account_id: account.id, name: 'CI', mode: 'test' });

  const ask = (bearer: string, model: string, content: string) =>
    fetch(`${gateway.address}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages: [{ role: 'user', content }] }),
    }).then((response) => response.text());
  const words = 'What does the toll cost for a truck with three axles? ';
  for (let count = 0; count < 12; count++) {
    await ask(key, count % 3 === 0 ? 'orion-mini' : 'orion-large', words.repeat(1 + (count % 5)));
  }
  for (let count = 0; count < 3; count++) await ask(second.key, 'orion-large', words);
  await ask(test.key, 'sandbox-chat', words);
  for (let count = 0; count < 6; count++) await ask(key, 'orion-broken', words);
  await ask(key, 'orion-large', words);
  await ask(key, HOSTILE, words);

  const list = async (query: string) => (await operator<{ data: LoggedRequest[] }>('GET', `/requests?${query}`)).data;
  const [request] = await list('model=orion-large&status=200');
  const [failed] = await list('model=orion-broken&status=502');
  if (request === undefined || failed === undefined) throw new Error('the requests that were made are not in the log');
  const videos = await fillVideos(gateway, account);
  return { account, token, key, channel, request, failed, videos };
}
