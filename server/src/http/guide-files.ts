// The guide: the pages of docs/, built into dist/docs, at /docs/guide beside the API reference. Nothing is loaded from outside,
// and the files are listed when somebody first asks for one.
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { type StaticFile, listFiles, sendFile } from './static-files.ts';
import { nothingAt } from './refuse-path.ts';
import { splitUrl } from './serve-public.ts';

const BUILT = fileURLToPath(new URL('../../../dist/docs', import.meta.url));
const ROOT = '/docs/guide/';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.gif': 'image/gif',
};

const HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

export function registerGuide(app: FastifyInstance, folder = BUILT): void {
  const hidden = { schema: { hide: true } };
  let files: Map<string, StaticFile> | undefined;
  // Relative, so that it holds under any path prefix.
  app.get(ROOT.slice(0, -1), hidden, async (_request, reply) => reply.redirect('guide/'));
  app.get(`${ROOT}*`, hidden, async (request, reply) => {
    const whole = splitUrl(request.url).path;
    const path = whole.slice(ROOT.length);
    files ??= listFiles(folder, CONTENT_TYPES);
    const file = files.get(path === '' || path.endsWith('/') ? `${path}index.html` : path);
    if (file === undefined || file.path.endsWith('built.txt')) throw nothingAt(whole);
    return sendFile(file, request, reply.headers(HEADERS));
  });
}
