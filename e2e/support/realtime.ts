// Realtime sessions of a world, by the vendor's own client over TLS.
import type { TestContext } from 'node:test';
import type { LoggedRequest } from '#contract/requests.ts';
import { RealtimeClient } from '../../server/src/testing/realtime-client.ts';
import type { TlsFront } from '../../server/src/testing/tls-front.ts';
import { requestsOf } from './money.ts';
import { waitUntil } from './wait.ts';
import type { World } from './world.ts';

export const REALTIME_PRICE = {
  unit: 'tokens',
  input: '4',
  output: '16',
  cached_input: '0.4',
  audio_input: '32',
  audio_output: '64',
} as const;

export interface SessionOptions {
  apiKey?: string;
  model?: string;
  headers?: Record<string, string>;
}

export function openClient(
  t: TestContext,
  front: TlsFront,
  world: World,
  options: SessionOptions = {},
): RealtimeClient {
  const { apiKey = world.key, model = world.model, headers = {} } = options;
  const { certificate } = front;
  const client = new RealtimeClient({ baseURL: `${front.address}/v1`, apiKey, model, certificate, headers });
  t.after(() => client.close());
  return client;
}

/** A session that answers in text, so that counts are small. */
export async function openText(t: TestContext, front: TlsFront, world: World, options: SessionOptions = {}) {
  const client = openClient(t, front, world, options);
  await client.next('session.created');
  client.send({ type: 'session.update', session: { type: 'realtime', output_modalities: ['text'] } });
  await client.next('session.updated');
  return client;
}

/** Lines of responses and transcripts, oldest first, once there are so many. */
export async function responsesOf({ gateway, token }: World, count: number): Promise<LoggedRequest[]> {
  let lines: LoggedRequest[] = [];
  await waitUntil(async () => {
    lines = (await requestsOf(gateway, { token_id: token.id })).filter(({ id }) => id.includes('/'));
    return lines.length >= count;
  }, `there are not ${count} lines`);
  return lines;
}

/** Types of the events that reached the upstream, of the world's first session there. */
export function sentEvents(world: World): string[] {
  const seen = world.calls()[0]?.body as { events: string[] } | undefined;
  return seen?.events ?? [];
}
