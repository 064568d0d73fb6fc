import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import { setImmediate as nextRound } from 'node:timers/promises';
import type { Principal } from '../access/principal.ts';
import { makeLogger } from '../telemetry/logger.ts';
import { RequestOutcomes } from '../telemetry/request-line.ts';
import { Admission } from './admission/admission.ts';
import { type Arrived, type PublicDependencies, servePublic } from './serve-public.ts';
import type { PublicRoute } from './routes.ts';

/** A client that only leaves. */
class Leaving extends EventEmitter {
  destroyed = false;
  headersSent = false;
  writableEnded = false;
  writableFinished = false;
  statusCode = 200;

  leave(): void {
    this.destroyed = true;
    this.emit('close');
  }
}

function arrive(response: Leaving, headers: Record<string, string> = {}): Arrived {
  const request = {
    method: 'POST',
    url: '/v1/chat/completions',
    headers: { authorization: 'Bearer sk-x', 'content-type': 'application/json', ...headers },
    socket: { remoteAddress: '127.0.0.1' },
    complete: true as const,
    body: Buffer.from('{}'),
  };
  return { request, response, requestId: 'req_1', wildcard: '' } as unknown as Arrived;
}

test('a client that leaves while its token is looked up keeps no slot', async () => {
  const begun: string[] = [];
  const admission = new Admission({ mostOpen: 4, pressure: { isLate: false, isFull: false } });
  const principal = { tokenId: 'tok', accountId: 'acc', mode: 'live', ipAllow: undefined } as unknown as Principal;
  let lookUp = Promise.withResolvers<Principal>();
  const dependencies = {
    admission,
    authenticator: { authenticate: () => lookUp.promise },
    draining: () => false,
    logger: makeLogger('silent').logger,
    metrics: { refused: () => undefined },
    earlyRefusals: { note: () => undefined },
    outcomes: new RequestOutcomes(String),
  } as unknown as PublicDependencies;
  const endpoint = (): void => void begun.push('served');
  const route = { method: 'POST', path: '', carrier: 'compatible', endpoint, summary: '' } as unknown as PublicRoute;
  for (let client = 0; client < 20; client++) {
    const response = new Leaving();
    const served = servePublic(dependencies, route, arrive(response));
    await nextRound();
    response.leave();
    lookUp.resolve(principal);
    await served;
    lookUp = Promise.withResolvers();
  }
  assert.deepEqual([admission.open, begun], [0, []]);
  const response = new Leaving();
  const served = servePublic(dependencies, route, arrive(response));
  lookUp.resolve(principal);
  await served;
  assert.deepEqual([admission.open, begun], [1, ['served']]);
  response.leave();
  assert.equal(admission.open, 0);
});
