// Responses that an upstream says it has begun by itself: what they hold, and what is charged of them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ContextSize } from './context-size.ts';
import { Responses } from './responses.ts';
import type { Held, SessionScope } from './session-scope.ts';

const asked = { maxOutputTokens: 10, isOwnLimit: false, speaks: false };

/** All money of a session, by the number of its holds. */
function session(isDue = (output: number): boolean => output > 0) {
  const open = new Set<string>();
  const settled: string[] = [];
  let made = 0;
  const bill = {
    isDue,
    toHold: () => 1n,
    used: (_report: unknown, own: unknown) => ({ usage: own, source: 'counted' }),
  };
  const hold = async (): Promise<Held> => {
    const requestId = String(++made);
    open.add(requestId);
    return { requestId, amount: 1n, bill, principal: {} } as unknown as Held;
  };
  const end = async ({ held }: { held: Held }): Promise<void> => void open.delete(held.requestId);
  const scope = {
    options: {
      model: 'm',
      requestId: 'r',
      dependencies: {
        catalogue: { current: { models: new Map() } },
        checkpoints: { follow: () => ({ spoke: () => {} }), forget: () => {} },
      },
    },
    check: async () => ({ principal: { rateSubjects: [] } }),
    hold,
    giveBack: async ({ requestId }: Held) => void open.delete(requestId),
    release: end,
    settle: async (ended: { held: Held; name: string }) => {
      settled.push(ended.name);
      await end(ended);
    },
  };
  return { responses: new Responses(scope as unknown as SessionScope, new ContextSize()), open, settled };
}

test('an upstream that begins one response after another holds money for few, and a client that leaves pays for few (promise M-10)', async () => {
  const { responses, open, settled } = session();
  for (let index = 0; index < 200; index++) await responses.created(`r${index}`, asked);
  assert.ok(responses.active <= 4 && open.size <= 5, `${responses.active} responses, ${open.size} holds`);
  assert.deepEqual(settled, [], 'nothing came of them');
  assert.ok(responses.ids.includes('r199'), 'the newest goes on');
  await responses.end('left');
  assert.ok(settled.length <= 4, String(settled.length));
  assert.equal(open.size, 0);
});

test('what came of a response is charged when others push it out, and once (promise M-04)', async () => {
  const { responses, settled } = session();
  await responses.created('spoken', asked);
  responses.spoke('spoken', { text: 3 });
  for (let index = 0; index < 4; index++) await responses.created(`r${index}`, asked);
  assert.deepEqual(settled, ['response spoken']);
  await responses.done('spoken', { status: 'completed' });
  assert.deepEqual(settled, ['response spoken']);
});

test('a client has sixteen responses that are waiting or under way, also where none ever ends (promise B-06)', async () => {
  const { responses, open } = session();
  const ask = async (name: string): Promise<void> => {
    await responses.ask(name, asked);
    await responses.created(name, asked);
  };
  for (let index = 0; index < 16; index++) await ask(`r${index}`);
  await assert.rejects(ask('more'), { code: 'rate_limit_exceeded' });
  assert.ok(open.size <= 17, `${open.size} holds`);
  await responses.done('r3', { status: 'completed' });
  await ask('again');
  assert.equal(responses.active, 16);
});

test('responses that the client asked for are not pushed out', async () => {
  const { responses, settled } = session();
  for (let index = 0; index < 10; index++) {
    await responses.ask(`e${index}`, asked);
    await responses.created(`asked${index}`, asked);
  }
  for (let index = 0; index < 10; index++) await responses.created(`r${index}`, asked);
  assert.equal(responses.ids.filter((id) => id.startsWith('asked')).length, 10);
  for (const id of responses.ids) await responses.done(id, { status: 'completed' });
  assert.equal(settled.length, 14);
});
