// Gives a fresh Tollgate an account with money, a priced model, a channel to the upstream and an access token.
// Ends when a chat request through it brings the upstream's own answer.
import { setTimeout as pause } from 'node:timers/promises';
import { answerMark } from '../upstream/answers.ts';
import { callOperator, type Place, readText } from './call-operator.ts';
import { chatPath } from './relay.ts';

const patienceMs = 10_000;

async function waitForFirstAnswer(address: string, accessToken: string): Promise<void> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const response = await fetch(`${address}${chatPath}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'bench-chat', messages: [{ role: 'user', content: 'hello' }] }),
    });
    const text = await response.text();
    if (response.status === 200 && text.includes(answerMark)) return;
    // A change by an operator may take up to two seconds to be seen everywhere.
    if (Date.now() > deadline) throw new Error(`the first chat answered ${response.status}: ${text.slice(0, 500)}`);
    await pause(100);
  }
}

/** Answers with the access token that the load uses. */
export async function setUpTollgate(place: Place & { upstreamPort: number }): Promise<string> {
  const account = await callOperator(place, 'POST', '/accounts', { name: 'bench' });
  const accountId = readText(account, 'id');
  const credit = { amount: '1000000', note: 'benchmark' };
  await callOperator(place, 'POST', `/accounts/${encodeURIComponent(accountId)}/credits`, credit);
  await callOperator(place, 'PUT', '/models/bench-chat', {
    endpoint_types: ['compat'],
    price: { unit: 'tokens', input: '2.5', output: '10' },
    owned_by: 'bench',
    enabled: true,
  });
  await callOperator(place, 'POST', '/channels', {
    name: 'bench',
    provider: 'openai',
    base_url: `http://127.0.0.1:${place.upstreamPort}/v1`,
    keys: ['k'],
    models: { 'bench-chat': 'bench-upstream' },
  });
  const token = await callOperator(place, 'POST', '/tokens', { account_id: accountId, name: 'bench' });
  const accessToken = readText(token, 'key');
  await waitForFirstAnswer(place.address, accessToken);
  return accessToken;
}
