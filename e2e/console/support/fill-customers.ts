// What an operator of some size has, for pictures: channels of many vendors, a hundred accounts with members, codes, a sink for
// alerts. Its requests are written by add-history.ts.
import type { Account } from '#contract/accounts.ts';
import type { Channel } from '#contract/channels.ts';
import type { Token } from '#contract/tokens.ts';
import type { TestGateway } from '../../support/gateway.ts';
import type { Filled } from './fill-gateway.ts';

export interface Customer {
  account: Account;
  token: Token;
}

/** Who asked, and by which channel each model was answered. */
export interface Trade {
  customers: Customer[];
  routes: { model: string; channel: string }[];
}

/** Name, provider and public models. */
const CHANNELS: [name: string, provider: 'openai' | 'anthropic' | 'gemini', models: string[]][] = [
  ['OpenAI Tier 5', 'openai', ['gpt-5', 'gpt-5-mini', 'text-embedding-3-large']],
  ['OpenAI backup', 'openai', ['gpt-5', 'gpt-5-mini']],
  ['Anthropic', 'anthropic', ['claude-opus-4-5', 'claude-sonnet-4-5']],
  ['Anthropic EU', 'anthropic', ['claude-sonnet-4-5']],
  ['Gemini', 'gemini', ['gemini-3-pro', 'gemini-3-flash']],
  ['DeepSeek', 'openai', ['deepseek-chat', 'deepseek-reasoner']],
  ['Moonshot', 'openai', ['kimi-k2']],
  ['Qwen', 'openai', ['qwen3-max', 'qwen3-coder-plus']],
  ['Zhipu', 'openai', ['glm-4.6']],
  ['Mistral', 'openai', ['mistral-large', 'codestral']],
  ['Groq', 'openai', ['llama-4-maverick']],
  ['Together', 'openai', ['llama-4-maverick', 'qwen3-coder-plus']],
  ['OpenRouter', 'openai', ['kimi-k2', 'glm-4.6', 'grok-4']],
  ['xAI', 'openai', ['grok-4']],
  ['Fireworks', 'openai', ['deepseek-chat']],
  ['Llama cluster of our own, second data centre in Frankfurt', 'openai', ['llama-4-maverick']],
];
const NAMES = [
  'Alder',
  'Birch',
  'Cedar',
  'Dogwood',
  'Elm',
  'Fir',
  'Gorse',
  'Hazel',
  'Ivy',
  'Juniper',
  'Kestrel',
  'Linden',
];
const KINDS = ['Robotics', 'Health', 'Books', 'Freight', 'Studios', 'Bank', 'Energy', 'Games'];
const ACCOUNTS = 96;
const MOST_ROUNDS = 5;

export async function fillCustomers(gateway: TestGateway, { account }: Filled): Promise<Trade> {
  const { operator } = gateway;
  const routes: Trade['routes'] = [];
  for (const [name, provider, offered] of CHANNELS) {
    const { id } = await operator<Channel>('POST', '/channels', {
      name,
      provider,
      base_url: gateway.upstream.baseUrl(provider),
      keys: [`sk-${name.toLowerCase().replaceAll(/\W/gu, '')}-0001`],
      models: Object.fromEntries(offered.map((model) => [model, `sandbox-${model}`])),
    });
    routes.push(...offered.map((model) => ({ model, channel: id })));
  }
  for (const [at, model] of [...new Set(routes.map((route) => route.model))].entries())
    await operator('PUT', `/models/${model}`, {
      price: { unit: 'tokens', input: `${1 + (at % 5)}`, output: `${4 + 3 * (at % 5)}` },
    });

  const customers: Customer[] = [];
  for (let count = 0; count < ACCOUNTS; count++) {
    const name = `${NAMES[count % NAMES.length]} ${KINDS[Math.floor(count / NAMES.length) % KINDS.length]}`;
    const made = await operator<Account>('POST', '/accounts', { name, group: count % 7 === 0 ? 'gold' : 'default' });
    await operator('POST', `/accounts/${made.id}/credits`, { amount: `${5 + ((count * 37) % 900)}`, note: 'top-up' });
    if (count < 24) {
      const token = await operator<Token>('POST', '/tokens', { account_id: made.id, name: `service ${count + 1}` });
      customers.push({ account: made, token });
    }
  }
  await askAll(gateway, account, routes);
  await operator('POST', `/accounts/${account.id}/members`, { email: 'olga@northwind.example', role: 'owner' });
  await operator('POST', `/accounts/${account.id}/members`, {
    email: 'piet@northwind.example',
    role: 'member',
    cap: { amount: '40', period: 'month' },
  });
  await operator('POST', '/codes', { amount: '25', count: 8, note: 'conference in May' });
  await operator('POST', '/alerts/sinks', { name: 'On call', kind: 'webhook', url: 'http://localhost:9/alerts' });
  return { customers, routes };
}

/** Until every channel has answered: which one of a model is asked is left to chance. */
async function askAll({ operator, address }: TestGateway, account: Account, routes: Trade['routes']): Promise<void> {
  const { key } = await operator<Token & { key: string }>('POST', '/tokens', { account_id: account.id, name: 'probe' });
  let silent = routes;
  for (let round = 0; round < MOST_ROUNDS && silent.length > 0; round++) {
    for (const { model } of silent) {
      const response = await fetch(`${address}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model, messages: [{ role: 'user', content: 'How many axles has a truck?' }] }),
      });
      await response.text();
    }
    const { data } = await operator<{ data: Channel[] }>('GET', '/channels?limit=200');
    const unheard = new Set(data.filter(({ health }) => health.state === 'unknown').map(({ id }) => id));
    silent = routes.filter(({ channel }) => unheard.has(channel));
  }
}
