// POST /v1/quote: what the body of an endpoint would cost, wherever the price follows from a JSON body. Charges nothing and
// calls nobody.
import { invalidRequest } from '../../errors/gateway-error.ts';
import type { VideoRequest } from '../../neutral/video.ts';
import { OBJECT, presentField, readJsonBody, readValue, scanAhead, STRING } from '../../protocols/json/json-request.ts';
import { type JsonPath, type JsonPathName, jsonPaths } from '../../protocols/paths.ts';
import { readGeneration } from '../../protocols/video-generations/read-request.ts';
import { readVideoJson } from '../../protocols/videos/read-json-request.ts';
import { type Quote, quote } from '../../relay/quote.ts';
import { quoteTask } from '../../tasks/task-bill.ts';
import type { Endpoint, EndpointDependencies, Exchange } from '../endpoint.ts';

/** Throws the error that the request itself would get. */
export type Quotable = (dependencies: EndpointDependencies, exchange: Exchange, body: Buffer) => Quote | Promise<Quote>;

const relayed = (path: JsonPathName): Quotable => {
  const { protocol, read }: JsonPath = jsonPaths[path];
  return ({ catalogue, relay: { ledger } }, { principal }, body) =>
    quote({ catalogue: catalogue.current, ledger }, principal, { protocol, request: read(body) });
};

const task =
  (read: (body: Buffer) => VideoRequest): Quotable =>
  ({ catalogue }, { principal }, body) =>
    quoteTask(catalogue.current, principal, read(body));

const RELAYED = [
  '/v1/chat/completions',
  '/v1/completions',
  '/v1/responses',
  '/v1/messages',
  '/v1/embeddings',
  '/v1/moderations',
  '/v1/rerank',
  '/v1/images/generations',
  '/v1/images/edits',
] as const;

export const quotable: Readonly<Record<string, Quotable>> = {
  ...Object.fromEntries(RELAYED.map((path) => [path, relayed(path)])),
  '/v1/edits': relayed('/v1/images/edits'),
  '/v1/audio/speech': relayed('/v1/audio/speech'),
  '/v1/video/generations': task(readGeneration),
  '/v1/videos': task(readVideoJson),
};

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
