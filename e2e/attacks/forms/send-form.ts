// Sends a form with any head, over a few kept connections.
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import type { World } from '../../support/world.ts';
import type { WireForm } from './wire-form.ts';

export interface Answered {
  status: number;
  requestId: string;
  text: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 8 });

export async function sendForm(world: World, path: string, { contentTypes, body }: WireForm): Promise<Answered> {
  const { hostname, port } = new URL(world.gateway.address);
  const headers = ['host', `${hostname}:${port}`, 'authorization', `Bearer ${world.key}`];
  headers.push('content-length', String(body.length), ...contentTypes.flatMap((type) => ['content-type', type]));
  const sent = request({ hostname, port, path, method: 'POST', agent, headers });
  const answering = once(sent, 'response') as Promise<[IncomingMessage]>;
  sent.end(body);
  const [answer] = await answering;
  const text = Buffer.concat(await Array.fromAsync<Buffer>(answer)).toString();
  return { status: answer.statusCode ?? 0, requestId: String(answer.headers['x-request-id']), text };
}

export function closeConnections(): void {
  agent.destroy();
}
