// Gives a fresh Tollgate an account with money, a priced model, a channel to the upstream and an access token.
// Ends when a chat request through it brings the upstream's own answer.
import { chatPath, loopback, type Target } from '../wire/chat-request.ts';
import { callOperator, type Gateway, putModel, readText } from './operator-api.ts';
import { waitForFirstAnswer } from './wait-for-first-answer.ts';

/** Answers with what the load needs to know. */
export async function setUpTollgate(gateway: Gateway): Promise<Target> {
  const account = await callOperator(gateway, 'POST', '/accounts', { name: 'bench' });
  const accountId = readText(account, 'id');
  const credit = { amount: '1000000', note: 'benchmark' };
  await callOperator(gateway, 'POST', `/accounts/${encodeURIComponent(accountId)}/credits`, credit);
  await putModel(gateway, 'bench-chat');
  await callOperator(gateway, 'POST', '/channels', {
    name: 'bench',
    provider: 'openai',
    base_url: `http://127.0.0.1:${gateway.upstreamPort}/v1`,
    keys: ['k'],
    models: { 'bench-chat': 'bench-upstream' },
  });
  const token = await callOperator(gateway, 'POST', '/tokens', { account_id: accountId, name: 'bench' });
  const headers = { authorization: `Bearer ${readText(token, 'key')}` };
  const route = { protocol: 'chat', path: chatPath } as const;
  const target: Target = { host: loopback, port: gateway.port, ...route, headers, model: 'bench-chat' };
  await waitForFirstAnswer(target);
  return target;
}
