// GET and HEAD /v1/videos/{task_id}/content: the video, whole or a range, at the client's pace.
import type { Readable } from 'node:stream';
import { invalidRequest } from '../../errors/gateway-error.ts';
import type { ClientReply } from '../../relay/call.ts';
import type { ContentConditions } from '../../tasks/content/conditions.ts';
import { openContent } from '../../tasks/content/task-content.ts';
import type { Endpoint, Exchange } from '../endpoint.ts';

export const videoContent: Endpoint = async ({ tasks }, exchange) => {
  const { reply, principal, method, query, wildcard: id } = exchange;
  const variant = new URLSearchParams(query).get('variant') ?? 'video';
  if (variant !== 'video') throw invalidRequest("'variant' must be video: there is no other.", 'variant');
  const leaving = new AbortController();
  const gone = new Promise<void>((resolve) => {
    reply.onGone(() => {
      leaving.abort();
      resolve();
    });
  });
  const { accountId } = principal;
  const content = await openContent(tasks, { accountId, id, asked: conditionsOf(exchange), signal: leaving.signal });
  reply.beginBody(content.status, content.headers);
  const { body } = content;
  if (body === undefined || method === 'HEAD') {
    body?.on('error', () => {}).destroy();
    reply.end(undefined);
    return;
  }
  await pour(body, reply, gone);
};

function conditionsOf({ header }: Exchange): ContentConditions {
  return {
    range: header('range'),
    ifRange: header('if-range'),
    ifNoneMatch: header('if-none-match'),
    ifModifiedSince: header('if-modified-since'),
  };
}

/** A body that breaks off can only break off the answer too. */
async function pour(body: Readable, reply: ClientReply, gone: Promise<void>): Promise<void> {
  try {
    for await (const chunk of body) {
      if (reply.write(chunk as Buffer)) continue;
      await Promise.race([gone, new Promise<void>((resolve) => reply.onDrain(resolve))]);
    }
    reply.end(undefined);
  } catch {
    reply.breakOff();
  }
}
