// What every endpoint with a JSON body must stand, written once: a missing field, a wrong type, a body too large, upstreams
// that fail, a client that leaves. Each leaves its line in the request log and its money in order.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LoggedRequest } from '#contract/requests.ts';
import { postChat, readError } from './chat.ts';
import type { TestGateway } from './gateway.ts';
import { ledgerOf, nano, requestOf, requestsOf } from './money.ts';
import { waitUntil } from './wait.ts';
import { type ChannelOptions, makeWorld, type World, type WorldOptions } from './world.ts';

export interface EndpointCase {
  path: string;
  body: Record<string, unknown>;
  /** Fields that must be there. */
  required: readonly string[];
  /** Field -> a value of the wrong type. */
  wrong: Record<string, unknown>;
  /** What the worlds of this endpoint have of their own. */
  world?: Omit<WorldOptions, 'channels'>;
  /** A scripted channel. */
  channel?(behave?: string): ChannelOptions;
}

/** The body limit that the suite's gateway must have, in megabytes. */
export const SMALL_BODY_MB = '1';

export function post(world: World, path: string, body: Record<string, unknown>): Promise<Response> {
  return postChat(world, JSON.stringify({ model: world.model, ...body }), { path });
}

/** The kinds and amounts of the world's ledger lines beside its credit. */
export async function moneyOf({ gateway, account }: World): Promise<Record<string, bigint>> {
  const entries = await ledgerOf(gateway, { account_id: account.id });
  return Object.fromEntries(
    entries.filter(({ kind }) => kind !== 'credit').map(({ kind, amount }) => [kind, nano(amount)]),
  );
}

/** The request was settled with this charge: the log and the ledger agree, and the hold covered it. */
export async function assertCharged(world: World, response: Response, charge: bigint): Promise<LoggedRequest> {
  const logged = await requestOf(world.gateway, response);
  assert.equal(nano(logged.charge), charge, logged.arithmetic ?? 'no arithmetic');
  const { hold = 0n, settle, release = 0n } = await moneyOf(world);
  assert.equal(settle, charge);
  assert.equal(hold, charge + release);
  return logged;
}

export function checkEndpoint(gateway: TestGateway, wanted: EndpointCase): void {
  const { path, body, required, wrong } = wanted;
  const channel = wanted.channel ?? ((behave) => (behave === undefined ? {} : { behave }));
  const channels = (...behaviours: (string | undefined)[]): ChannelOptions[] =>
    behaviours.map((behave, index) => ({ ...channel(behave), priority: -index }));

  test(`${path} refuses a missing field by name, and holds nothing`, async (t) => {
    const world = await makeWorld(gateway, t, { ...wanted.world, channels: channels(undefined) });
    for (const field of required) {
      const { [field]: _, ...rest } = { model: world.model, ...body } as Record<string, unknown>;
      const response = await postChat(world, JSON.stringify(rest), { path });
      const error = await readError(response, 400, 'invalid_request');
      assert.equal(error.param, field);
      assert.equal(error.message, `'${field}' is required.`);
    }
    assert.deepEqual([await moneyOf(world), world.calls()], [{}, []]);
  });

  test(`${path} refuses a field of the wrong type by name`, async (t) => {
    const world = await makeWorld(gateway, t, { ...wanted.world, channels: channels(undefined) });
    for (const [field, value] of Object.entries(wrong)) {
      const error = await readError(await post(world, path, { ...body, [field]: value }), 400, 'invalid_request');
      assert.equal(error.param, field);
      assert.match(error.message, new RegExp(`^'${field}' must be `));
    }
    assert.deepEqual([await moneyOf(world), world.calls()], [{}, []]);
  });

  test(`${path} refuses a body that is too large`, async (t) => {
    const world = await makeWorld(gateway, t, { ...wanted.world, channels: channels(undefined) });
    await readError(await post(world, path, { ...body, padding: 'x'.repeat(1_100_000) }), 413, 'body_too_large');
    assert.deepEqual([await moneyOf(world), world.calls()], [{}, []]);
  });

  for (const [behave, failure] of [
    ['fail-500', 'overloaded'],
    ['garbage', 'malformed'],
    ['empty', 'malformed'],
    ['reset', 'unreachable'],
  ] as const) {
    test(`${path} moves on when an upstream does ${behave}`, async (t) => {
      const world = await makeWorld(gateway, t, { ...wanted.world, channels: channels(behave, undefined) });
      const response = await post(world, path, body);
      assert.equal(response.status, 200, await response.text());
      const { attempts, status } = await requestOf(gateway, response);
      assert.deepEqual([status, attempts.map(({ error }) => error)], [200, [failure, null]]);
      assert.equal(world.calls(1).length, 1);
    });
  }

  test(`${path} answers 502 when every upstream fails, and gives the money back`, async (t) => {
    const world = await makeWorld(gateway, t, { ...wanted.world, channels: channels('fail-500', 'garbage') });
    await readError(await post(world, path, body), 502, 'upstream_error');
    const { hold, settle, release } = await moneyOf(world);
    assert.deepEqual([settle, release], [undefined, hold]);
  });

  test(`${path} tells the upstream when the client leaves, and charges what was sent (promise M-07)`, async (t) => {
    const world = await makeWorld(gateway, t, { ...wanted.world, channels: channels('slow-5000') });
    const leaving = new AbortController();
    const asked = postChat(world, JSON.stringify({ model: world.model, ...body }), { path, signal: leaving.signal });
    await waitUntil(() => world.calls().length === 1, 'the upstream was not asked');
    leaving.abort();
    await assert.rejects(asked);
    await waitUntil(() => world.calls()[0]?.aborted === true, 'the upstream was not cancelled');
    await waitUntil(async () => (await moneyOf(world))['settle'] !== undefined, 'nothing was settled');
    const { hold = 0n, settle = 0n, release = 0n } = await moneyOf(world);
    assert.ok(settle > 0n);
    assert.equal(settle + release, hold);
    const [logged] = await requestsOf(gateway, { account_id: world.account.id });
    assert.deepEqual([logged?.endpoint, logged?.status, logged?.error_code], [path, 499, 'client_gone']);
  });
}
