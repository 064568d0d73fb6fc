// /requests/{id}/bodies: what was asked and answered, where the token has it kept. Only admins read what people wrote.
import { type RequestBodies, requestBodies } from '#contract/requests.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { findBodies, type KeptBody, openBodies } from '../../store/queries/request-bodies.ts';
import type { OperatorApp, OperatorDependencies } from '../dependencies.ts';
import { notFound } from '../not-found.ts';
import { failuresOfOne, requestParams, route } from '../operation.ts';
import { operatorOf } from '../sign-in/authenticate.ts';

export function requestBodyRoutes(app: OperatorApp, { store: { reads }, secretBox }: OperatorDependencies): void {
  app.get(
    '/requests/:id/bodies',
    route('Requests', 'What was asked and answered, where the token has it kept; for admins', {
      params: requestParams,
      response: { 200: requestBodies, ...failuresOfOne },
    }),
    async (request): Promise<RequestBodies> => {
      if (operatorOf(request).role !== 'admin') throw new GatewayError('forbidden');
      const { id } = request.params;
      const row = await findBodies(reads, id);
      if (row === undefined) throw notFound('request with kept bodies', id);
      const kept = openBodies(row, secretBox);
      return {
        request_id: id,
        request: writeBody(kept.request),
        answer: writeBody(kept.answer),
        created_at: row.created_at,
      };
    },
  );
}

function writeBody(body: KeptBody | null): RequestBodies['request'] {
  return body === null ? null : { content_type: body.contentType, bytes: body.bytes, text: body.text };
}
