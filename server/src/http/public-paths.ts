// The public paths as the OpenAPI document shows them: those that a route serves behind its `*` stand for themselves, each
// with its parameters.
import type { PublicRoute } from './routes.ts';

export interface PublicPath {
  method: PublicRoute['method'];
  path: string;
  carrier: PublicRoute['carrier'];
  summary: string;
}

/** What stands at a `*`, by method and path of the route. */
const BEHIND: Readonly<Record<string, readonly { path: string; summary?: string }[]>> = {
  'GET /v1/responses/*': [
    { path: '/v1/responses/{response_id}', summary: 'A stored response' },
    { path: '/v1/responses/{response_id}/input_items', summary: 'What a stored response was given' },
  ],
  'DELETE /v1/responses/*': [{ path: '/v1/responses/{response_id}' }],
  'POST /v1/responses/*': [
    {
      path: '/v1/responses/{response_id}/cancel',
      summary: 'Stops a response that goes on in the background',
    },
  ],
  'GET /v1/models/*': [{ path: '/v1/models/{model}' }],
  'GET /v1beta/models/*': [{ path: '/v1beta/models/{model}' }],
  'POST /v1beta/models/*': [
    { path: '/v1beta/models/{model}:generateContent', summary: 'Generate-content-style answer, whole' },
    {
      path: '/v1beta/models/{model}:streamGenerateContent',
      summary: 'The same as a stream: events with alt=sse, else a JSON array that grows',
    },
    { path: '/v1beta/models/{model}:countTokens', summary: 'How many tokens a prompt has' },
    { path: '/v1beta/models/{model}:embedContent', summary: 'The vector of one text' },
    { path: '/v1beta/models/{model}:batchEmbedContents', summary: 'The vectors of several texts' },
  ],
};

/** A route behind whose `*` nothing is listed is shown as it is, which no test lets pass. */
export function publicPaths(routes: readonly PublicRoute[]): PublicPath[] {
  return routes
    .filter(({ isAlias }) => isAlias !== true)
    .flatMap(({ method, path, carrier, summary }) =>
      (BEHIND[`${method} ${path}`] ?? [{ path: path.replace(':id', `{${nameOfId(path)}}`) }]).map((shown) => ({
        method,
        carrier,
        summary,
        ...shown,
      })),
    );
}

function nameOfId(path: string): string {
  if (path.includes('/batches/')) return 'batch_id';
  if (path.includes('/interactions/')) return 'interaction_id';
  return path.startsWith('/v1/files/') ? 'file_id' : 'task_id';
}
