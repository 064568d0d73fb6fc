// GET and HEAD /v1/videos/{task_id}/content: the video, whole or a range, at the client's pace.
import { invalidRequest } from '../../errors/gateway-error.ts';
import { openContent } from '../../tasks/content/task-content.ts';
import type { Endpoint } from '../endpoint.ts';
import { conditionsOf, sendContent } from '../send-content.ts';

const VARIANTS = ['video', 'thumbnail', 'spritesheet'];

export const videoContent: Endpoint = async ({ tasks }, exchange) => {
  const { reply, principal, query, wildcard: id } = exchange;
  const variant = new URLSearchParams(query).get('variant') ?? 'video';
  if (!VARIANTS.includes(variant)) throw invalidRequest(`'variant' must be ${VARIANTS.join(' or ')}.`, 'variant');
  const leaving = new AbortController();
  const gone = new Promise<void>((resolve) => {
    reply.onGone(() => {
      leaving.abort();
      resolve();
    });
  });
  const { accountId } = principal;
  const asked = conditionsOf(exchange);
  const content = await openContent(tasks, {
    accountId,
    id,
    asked,
    signal: leaving.signal,
    ...(variant !== 'video' && { variant }),
  });
  await sendContent(exchange, content, gone);
};
