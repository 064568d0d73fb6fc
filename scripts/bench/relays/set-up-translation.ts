// Gives a Tollgate that has been set up a channel to the upstream's other protocol, and tries both ways of translating:
// a chat client with a messages upstream, and a messages client with the chat upstream.
import { messagesPath, type Target } from '../wire/chat-request.ts';
import { callOperator, type Gateway, putModel } from './operator-api.ts';
import type { Translated } from './relay.ts';
import { waitForFirstAnswer } from './wait-for-first-answer.ts';

export async function setUpTranslation(gateway: Gateway, untranslated: Target): Promise<Translated> {
  await putModel(gateway, 'bench-messages');
  await callOperator(gateway, 'POST', '/channels', {
    name: 'bench messages',
    provider: 'anthropic',
    base_url: `http://127.0.0.1:${gateway.upstreamPort}`,
    keys: ['k'],
    models: { 'bench-messages': 'bench-upstream' },
  });
  const headers = { ...untranslated.headers, 'anthropic-version': '2023-06-01' };
  const translated = {
    chat: { ...untranslated, model: 'bench-messages' },
    messages: { ...untranslated, protocol: 'messages' as const, path: messagesPath, headers },
  };
  for (const target of Object.values(translated)) await waitForFirstAnswer(target);
  return translated;
}
