// What an operator sets up before a fault test: priced models on a channel to the sandbox, accounts with money, tokens.
import { OPERATOR_KEY } from './gateway-process.ts';

/** Per token: 2,500 nano-units of input, 1,250 cached, 10,000,000 of output, so that a hold shows its `max_tokens`. */
export const TOKENS_MODEL = 'fault-tokens';
export const NANO_PER_TOKEN = { input: 2_500n, cached: 1_250n, output: 10_000_000n };
/** 0.01 per request. */
export const FLAT_MODEL = 'fault-flat';
export const FLAT_NANO = 10_000_000n;

export class Operator {
  readonly #address: string;

  constructor(address: string) {
    this.#address = address;
  }

  async offerModels(upstreamBaseUrl: string, options: object = {}): Promise<void> {
    await this.send('PUT', `/models/${TOKENS_MODEL}`, {
      price: { unit: 'tokens', input: '2.5', cached_input: '1.25', output: '10000' },
    });
    await this.send('PUT', `/models/${FLAT_MODEL}`, { price: { unit: 'request', amount: '0.01' } });
    await this.send('POST', '/channels', {
      name: 'sandbox in the test',
      provider: 'openai',
      base_url: upstreamBaseUrl,
      keys: ['sandbox'],
      models: { [TOKENS_MODEL]: 'sandbox-chat', [FLAT_MODEL]: 'sandbox-chat' },
      options,
    });
  }

  async addAccount(credit: string): Promise<string> {
    const account = await this.send('POST', '/accounts', { name: 'faults' });
    const id = textOf(account, 'id');
    await this.send('POST', `/accounts/${id}/credits`, { amount: credit, note: 'fault test' });
    return id;
  }

  async addToken(
    accountId: string,
    quota: string | null = null,
    more: object = {},
  ): Promise<{ id: string; key: string }> {
    const token = await this.send('POST', '/tokens', { account_id: accountId, name: 'faults', quota, ...more });
    return { id: textOf(token, 'id'), key: textOf(token, 'key') };
  }

  /** Any change; throws unless it succeeds. */
  async send(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: object): Promise<object> {
    const response = await fetch(`${this.#address}/operator/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${OPERATOR_KEY}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const answer: unknown = text === '' ? {} : JSON.parse(text);
    if (!response.ok || typeof answer !== 'object' || answer === null)
      throw new Error(`${method} ${path} answered ${response.status}: ${JSON.stringify(answer)}`);
    return answer;
  }
}

function textOf(answer: object, field: string): string {
  const value = (answer as Record<string, unknown>)[field];
  if (typeof value !== 'string')
    throw new Error(`the operator API gave no ${field}, only ${Object.keys(answer).join(', ')}`);
  return value;
}

/** A change may take up to two seconds until every process has it, and longer on a busy machine. */
export async function untilOffered(address: string, key: string, model: string): Promise<void> {
  for (const deadline = Date.now() + 60_000; ;) {
    const response = await fetch(`${address}/v1/models`, { headers: { authorization: `Bearer ${key}` } });
    const text = await response.text();
    if (response.status === 200 && text.includes(`"${model}"`)) return;
    if (Date.now() > deadline) throw new Error(`${model} is not offered: ${response.status} ${text.slice(0, 300)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
