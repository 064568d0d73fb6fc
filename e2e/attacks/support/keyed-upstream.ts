// An upstream of the compatible protocol that decides by the words of a prompt and by the key what to answer, and remembers
// both; and a second customer of the same model.
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { sendJson } from '../../support/stub.ts';
import { makeAccount, makeToken, uniqueName, type World } from '../../support/world.ts';

/** What the gateway says in calls of its own; stands for its looks at the list of models, too. */
export const PROBE = 'ping';

export interface SeenCall {
  /** The last four characters. */
  key: string;
  prompt: string;
}

export interface KeyedUpstream {
  base_url: string;
  calls: SeenCall[];
}

/** `refuse` answers the call itself and says so with true; everything else is a good answer. */
export async function startKeyedUpstream(
  test: TestContext,
  refuse: (call: SeenCall, response: ServerResponse) => boolean,
): Promise<KeyedUpstream> {
  const calls: SeenCall[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.once('end', () => {
      const prompt = request.method === 'GET' ? PROBE : promptOf(Buffer.concat(chunks));
      const call = { key: (request.headers.authorization ?? '').slice(-4), prompt };
      calls.push(call);
      if (!refuse(call, response)) sendJson(response, 200, goodAnswer);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  test.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { base_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, calls };
}

function promptOf(body: Buffer): string {
  const { messages } = JSON.parse(body.toString()) as { messages: { content: string }[] };
  return messages[0]?.content ?? '';
}

const goodAnswer = {
  id: 'x',
  object: 'chat.completion',
  created: 1,
  model: 'x',
  choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
};

/** Another account with its own token, for the same model and channels. */
export async function anotherCustomer(world: World): Promise<World> {
  const account = await makeAccount(world.gateway, { name: uniqueName('victim'), credit: '100' });
  const { key, ...token } = await makeToken(world.gateway, { account_id: account.id });
  return { ...world, account, token, key };
}
