// A task engine beside a provider of family beta that answers as the test says, with tasks put where the test wants them.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import type { ModelScope } from '../catalogue/visible-models.ts';
import { listLedger } from '../store/queries/ledger.ts';
import { findTask, type TaskRow } from '../store/queries/tasks.ts';
import type { Store } from '../store/store.ts';
import { makeTaskDependencies } from './task-dependencies.ts';
import { taskHold, taskRow } from './task-rows.ts';

/** A token of the account that has the tasks, without limits. */
export const OWNER: ModelScope = {
  accountId: 'acc',
  accountStatus: 'active',
  accountModels: undefined,
  tokenModels: undefined,
  group: 'default',
  mode: 'live',
};

export type Answer = (response: ServerResponse, request: IncomingMessage) => void;

export const says =
  (status: number, body: unknown): Answer =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

export const succeeded = says(200, {
  status: 'succeeded',
  content: { video_url: 'https://cdn.example/v.mp4' },
  usage: { total_tokens: 30 },
});

/** 1,000 nano-units a token. */
const PRICE = '{"price":{"unit":"video_tokens","generate":"1","video_input":"1"},"multiplier":"1"}';

export type TaskWorld = Awaited<ReturnType<typeof makeTaskWorld>>;

export async function makeTaskWorld(t: TestContext, store: Store, answer: { now: Answer }) {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    request.resume().once('end', () => answer.now(response, request));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const dependencies = await makeTaskDependencies(store, `${origin}/api/v3`);
  t.after(async () => {
    await dependencies.end();
    server.close();
    server.closeAllConnections();
  });
  const at = Math.floor(dependencies.clock.ms / 1000);
  return {
    dependencies,
    requests,
    origin,
    at,
    async add(id: string, more: Partial<TaskRow> = {}): Promise<TaskRow> {
      const channelKey = { channel_id: 'ch', key_id: 'key', upstream_id: `up-${id}`, state: 'SUBMITTED' as const };
      const times = { created_at: at, updated_at: at, deadline: at + 86_400, next_poll_at: dependencies.clock.ms };
      const sent = { sent: '{"tokens":90,"tier":"generate"}', sent_at: at, upstream_model: 'upstream-model' };
      const row = taskRow({ id, ...channelKey, ...times, ...sent, hold: 100_000n, price: PRICE, ...more });
      assert.equal(await store.commit(taskHold(row)), 'held');
      return row;
    },
    async stored(id: string): Promise<TaskRow> {
      const row = await findTask(store.reads, id);
      assert.ok(row !== undefined);
      return row;
    },
    async kinds(id: string): Promise<string[]> {
      const lines = await listLedger(store.reads, { taskId: id, limit: 9 });
      return lines.map(({ kind, amount }) => `${kind} ${amount}`).reverse();
    },
  };
}
