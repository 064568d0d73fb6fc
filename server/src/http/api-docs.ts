// The OpenAPI document at /openapi.json and its page at /docs, opened when somebody asks for either. Nothing of it
// is loaded from outside: the page's script is served from here, and its policy lets the browser talk to this origin only.
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, type RouteOptions } from 'fastify';
import { errorReply } from './hooks/error-reply.ts';
import { nothingAt } from './refuse-path.ts';
import { splitUrl } from './serve-public.ts';
import { productVersion } from '../shared/product-version.ts';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'", // the page's script writes style attributes
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const securitySchemes = {
  bearer: { type: 'http', scheme: 'bearer', description: 'Access token, on every public endpoint' },
  apiKeyHeader: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'Access token' },
  vendorKeyHeader: {
    type: 'apiKey',
    in: 'header',
    name: 'x-goog-api-key',
    description: 'Access token, under /v1beta; any x-<word>-api-key will do',
  },
  apiKeyQuery: { type: 'apiKey', in: 'query', name: 'key', description: 'Access token, under /v1beta' },
  operatorKey: { type: 'http', scheme: 'bearer', description: 'An operator key, under /operator/v1' },
  operatorSession: {
    type: 'apiKey',
    in: 'cookie',
    name: 'tollgate_session',
    description: 'Cookie of a signed-in operator; changes also need the header x-csrf-token',
  },
  portalSession: {
    type: 'apiKey',
    in: 'cookie',
    name: 'tollgate_portal',
    description: 'Cookie of a signed-in member, under /portal/v1; changes also need the header x-csrf-token',
  },
} as const;

type Described = Pick<RouteOptions, 'method' | 'url' | 'schema'>;

/** To be registered before the routes it describes. */
export function registerApiDocs(app: FastifyInstance, prefix = ''): void {
  const routes: Described[] = [];
  app.addHook('onRoute', ({ method, url, schema }) => {
    if (method !== 'HEAD' && schema?.hide !== true)
      routes.push({ method, url, ...(schema !== undefined && { schema }) });
  });

  let opened: Promise<FastifyInstance> | undefined;
  const enter = (): Promise<FastifyInstance> =>
    (opened ??= openDocs(routes, prefix).catch((error: unknown) => {
      opened = undefined;
      throw error;
    }));
  const hidden = { schema: { hide: true } };

  let document: string | undefined;
  for (const url of ['/openapi.json', '/docs/json']) {
    app.get(url, hidden, async (_request, reply) => {
      document ??= JSON.stringify((await enter()).swagger());
      return reply.type('application/json; charset=utf-8').send(document);
    });
  }
  for (const url of ['/docs', '/docs/', '/docs/static/*']) {
    app.get(url, hidden, async (request, reply) => {
      const docs = await enter();
      reply.hijack();
      docs.routing(request.raw, reply.raw);
    });
  }
}

/** A server of its own that describes the routes and serves none of them. It is asked for now and then, and takes 3 MB. */
async function openDocs(routes: readonly Described[], prefix: string): Promise<FastifyInstance> {
  const { default: swagger } = await import('@fastify/swagger');
  const { default: swaggerUi } = await import('@fastify/swagger-ui');
  const { wholeDocument } = await import('./openapi/whole-document.ts');
  const docs = Fastify();
  docs.addHook('onRequest', keepInside); // also for the files: one of them is a page
  docs.setValidatorCompiler(() => () => true);
  docs.setSerializerCompiler(() => JSON.stringify);
  docs.setNotFoundHandler(({ url }, reply) => {
    const { path } = splitUrl(url);
    const { status, headers, body } = errorReply(nothingAt(path), path, '');
    return reply.code(status).headers(headers).send(body);
  });
  await docs.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Tollgate',
        version: productVersion,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
        description:
          'One token, every model, every modality. Public API under /v1 and /v1beta, operator API under /operator/v1, portal API under /portal/v1.',
      },
      externalDocs: { description: 'Guide for operators and developers', url: `${prefix}/docs/guide/` },
      servers: [{ url: prefix === '' ? '/' : prefix, description: 'This gateway' }],
      components: { securitySchemes },
    },
    transform: jsonSchemaTransform,
    transformObject: wholeDocument,
  });
  for (const route of routes) docs.route({ ...route, handler: (_request, reply) => reply.callNotFound() });
  await docs.register(swaggerUi, {
    routePrefix: '/docs',
    indexPrefix: prefix,
    logLevel: 'silent',
    uiConfig: { docExpansion: 'none', deepLinking: true, displayRequestDuration: true, validatorUrl: null },
    theme: {
      title: 'Tollgate API',
      css: [{ filename: 'tollgate.css', content: '.swagger-ui .topbar { display: none }' }],
    },
  });
  await docs.ready();
  return docs;
}

function keepInside(_request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  reply.header('content-security-policy', CONTENT_SECURITY_POLICY);
  reply.header('referrer-policy', 'no-referrer');
  done();
}
