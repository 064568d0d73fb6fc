// Many large bodies at once, whose memory is freed by hand as soon as they are sent: every upstream gets the very bytes of
// its own request, also where another one failed before, where it reads slowly, and where clients leave.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test, type TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { chatBody, postChat, readAnswer } from './support/chat.ts';
import { sendJson } from './support/stub.ts';
import { makeWorld, suiteGateway, type World } from './support/world.ts';

const KIB = 1024;
const sizes = [40 * KIB, 127 * KIB, 129 * KIB, 300 * KIB, KIB * KIB, 3 * KIB * KIB];

interface Upstream {
  address: string;
  /** What came in each call, complete or not. */
  seen: { text: string; complete: boolean }[];
}

/** Takes each body with pauses; `refuse` may answer or hang up before the body has come. */
async function startUpstream(
  t: TestContext,
  refuse?: (call: number, request: IncomingMessage, response: ServerResponse) => boolean,
): Promise<Upstream> {
  const seen: Upstream['seen'] = [];
  let calls = 0;
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const call = calls++;
    const pieces: Buffer[] = [];
    const keep = (complete: boolean): void => void seen.push({ text: Buffer.concat(pieces).toString(), complete });
    try {
      for await (const piece of request) {
        pieces.push(piece as Buffer);
        if (pieces.length % 8 === 1) await wait(call % 5);
        if (refuse?.(call, request, response) === true) return keep(false);
      }
    } catch {
      return keep(false);
    }
    keep(true);
    const message = { role: 'assistant', content: `${Buffer.concat(pieces).length} bytes` };
    sendJson(response, 200, { id: 'x', choices: [{ index: 0, message, finish_reason: 'stop' }] });
  };
  const server = createServer((request, response) => void take(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, seen };
}

/** Some are refused early, some hung up on; not so many that the channel is left alone. */
function fails(call: number, { socket }: IncomingMessage, response: ServerResponse): boolean {
  if (call % 8 === 2) sendJson(response, 503, { error: { message: 'later' } });
  else if (call % 8 === 5) socket.destroy();
  else return false;
  return true;
}

/** A body that consists of its own number, so that no part of another one can stand in it. */
function bodyOf(world: World, index: number): string {
  const mark = `<${index}>`;
  const content = mark.repeat(Math.ceil((sizes[index % sizes.length] as number) / mark.length));
  // The name of the model stands first or last, so that the changed piece does.
  const { model, ...rest } = chatBody(world.model, content);
  return JSON.stringify(index % 2 === 0 ? { user: mark, model, ...rest } : { user: mark, ...rest, model });
}

function assertOwnBytes(world: World, channel: number, { seen }: Upstream): void {
  for (const { text, complete } of seen) {
    const index = /^\{"user":"<(\d+)>"/.exec(text)?.[1];
    if (index === undefined) assert.ok(!complete && text.length < 20, text.slice(0, 100));
    else {
      const expected = bodyOf(world, Number(index)).replace(world.model, `${world.model}.${channel}`);
      const isSame = complete ? text === expected : expected.startsWith(text);
      assert.ok(isSame, `request ${index}: other bytes than its own`);
    }
  }
}

describe('large bodies side by side', async () => {
  const gateway = await suiteGateway();

  test('each upstream gets the bytes of its own request, after failures and beside clients that leave', async (t) => {
    const upstreams = [await startUpstream(t, fails), await startUpstream(t)];
    const channels = upstreams.map(({ address }) => ({ base_url: address }));
    const world = await makeWorld(gateway, t, { channels, credit: '100000', token: {} });
    let next = 0;
    const client = async (): Promise<void> => {
      for (let index = next++; index < 240; index = next++) {
        const body = bodyOf(world, index);
        if (index % 6 === 5) {
          const signal = AbortSignal.timeout(5 + (index % 40));
          await postChat(world, body, { signal })
            .then((response) => response.text())
            .catch(() => {});
          continue;
        }
        const answer = await readAnswer(await postChat(world, body));
        const length = Number.parseInt(answer.choices[0]?.message.content ?? '', 10);
        assert.equal(length, body.length + 2, 'the name of the model grew by two letters');
      }
    };
    await Promise.all(Array.from({ length: 12 }, client));
    for (const [channel, upstream] of upstreams.entries()) assertOwnBytes(world, channel, upstream);
    assert.ok(upstreams.every(({ seen }) => seen.length > 10));
  });
});
