// Streams the video of a task to a person who may see it, which the caller has checked. Ranges and conditions are passed on.
import { pipeline } from 'node:stream/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OperatorDependencies } from './dependencies.ts';

export async function sendVideo(
  { videoContent }: Pick<OperatorDependencies, 'videoContent'>,
  { id, request, reply }: { id: string; request: FastifyRequest; reply: FastifyReply },
): Promise<void> {
  const leaving = new AbortController();
  reply.raw.once('close', () => leaving.abort());
  const { range, 'if-range': ifRange, 'if-none-match': ifNoneMatch } = request.headers;
  const { status, headers, body } = await videoContent({
    id,
    asked: {
      range,
      ifRange: typeof ifRange === 'string' ? ifRange : undefined,
      ifNoneMatch,
      ifModifiedSince: request.headers['if-modified-since'],
    },
    signal: leaving.signal,
  });
  // Past the framework, whose schemas are for JSON; what is said of the answer so far holds here too.
  reply.hijack();
  const { raw } = reply;
  for (const [name, value] of Object.entries({ ...reply.getHeaders(), ...headers })) {
    if (value !== undefined) raw.setHeader(name, value);
  }
  raw.writeHead(status);
  if (body === undefined || request.method === 'HEAD') {
    body?.on('error', () => {}).destroy();
    raw.end();
  } else await pipeline(body, raw).catch(() => raw.destroy());
}
