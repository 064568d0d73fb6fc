// Sends a download: head, then bytes at the client's pace.
import type { Readable } from 'node:stream';
import { GatewayError } from '../errors/gateway-error.ts';
import type { ClientReply } from '../relay/call.ts';
import type { ContentConditions } from '../shared/content-conditions.ts';
import type { Exchange } from './endpoint.ts';

export interface SentContent {
  status: number;
  headers: Record<string, string>;
  body: Readable | undefined;
}

export function conditionsOf({ header }: Pick<Exchange, 'header'>): ContentConditions {
  return {
    range: header('range'),
    ifRange: header('if-range'),
    ifNoneMatch: header('if-none-match'),
    ifModifiedSince: header('if-modified-since'),
  };
}

/** `gone` resolves when the client has left; by itself where it is not given. */
export async function sendContent(
  { reply, method }: Pick<Exchange, 'reply' | 'method'>,
  { status, headers, body }: SentContent,
  gone: Promise<void> = leaving(reply),
): Promise<void> {
  if (status === 416) throw new GatewayError('range_not_satisfiable', { headers });
  reply.beginBody(status, headers);
  if (body === undefined || method === 'HEAD') {
    body?.on('error', () => {}).destroy();
    reply.end(undefined);
    return;
  }
  await pour(body, reply, gone);
}

function leaving(reply: ClientReply): Promise<void> {
  return new Promise((resolve) => reply.onGone(resolve));
}

/** A body that breaks off can only break off the answer too. */
async function pour(body: Readable, reply: ClientReply, gone: Promise<void>): Promise<void> {
  try {
    for await (const chunk of body) {
      if (reply.gone) return;
      if (reply.write(chunk as Buffer)) continue;
      await Promise.race([gone, new Promise<void>((resolve) => reply.onDrain(resolve))]);
    }
    reply.end(undefined);
  } catch {
    reply.breakOff();
  }
}
