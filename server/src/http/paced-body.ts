// Bodies that the framework reads keep the pace of all others (body-pace.ts).
import { PassThrough } from 'node:stream';
import type { preParsingHookHandler } from 'fastify';
import { GatewayError } from '../errors/gateway-error.ts';
import { BodyPace } from './body-pace.ts';
import { hasBody } from './linger.ts';

export const paceBody: preParsingHookHandler = (request, _reply, payload, done) => {
  if (!hasBody(request.raw)) return done(null, payload);
  const length = request.headers['content-length'];
  const paced = new PassThrough();
  const pace = new BodyPace(length === undefined ? undefined : Number(length), () =>
    paced.destroy(new GatewayError('request_timeout')),
  );
  payload.on('data', (chunk: Buffer) => pace.came(chunk.length));
  payload.once('error', (error) => paced.destroy(error));
  payload.once('close', () => pace.stop());
  paced.once('close', () => {
    pace.stop();
    payload.unpipe(paced);
  });
  payload.pipe(paced);
  done(null, paced);
};
