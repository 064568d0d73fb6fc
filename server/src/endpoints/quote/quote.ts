// POST /v1/quote: what the body of any endpoint would cost. Charges nothing and calls nobody.
import { invalidRequest } from '../../errors/gateway-error.ts';
import { OBJECT, presentField, readJsonBody, readValue, scanAhead, STRING } from '../../protocols/json/json-request.ts';
import type { Endpoint } from '../endpoint.ts';
import { quotable } from './quotable.ts';

/** Also for the OpenAPI document. */
export const quoteFields = new Map([
  ['endpoint', STRING],
  ['body', OBJECT],
]);

export const quoteRequest: Endpoint = async (dependencies, exchange) => {
  const bytes = await exchange.readJson();
  const json = readJsonBody(bytes, quoteFields, ['endpoint', 'body']);
  const endpoint = readValue(json, 'endpoint');
  const estimate = typeof endpoint === 'string' && Object.hasOwn(quotable, endpoint) ? quotable[endpoint] : undefined;
  if (estimate === undefined) {
    const known = Object.keys(quotable).join(', ');
    throw invalidRequest(`'endpoint' must be one of ${known}.`, 'endpoint');
  }
  const body = presentField(json, 'body');
  if (body === undefined) throw invalidRequest("'body' is required.", 'body');
  // The inner body keeps its bytes: estimates go by their number.
  const inner = bytes.subarray(body.valueStart, body.valueEnd);
  await scanAhead(inner);
  const answer = await estimate(dependencies, exchange, inner);
  exchange.sendJson({ endpoint, ...answer });
};
