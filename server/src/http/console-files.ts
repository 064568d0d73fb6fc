// Serves the built console and the portal, which share their files. Every file is on a list made at the start, so that no
// path leads anywhere else; all other paths under /console and /portal are the page itself, whose router knows them.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { GatewayError } from '../errors/gateway-error.ts';
import { FITS } from './allowed-methods.ts';
import { type StaticFile, listFiles, sendFile } from './static-files.ts';
import { nothingAt } from './refuse-path.ts';
import { splitUrl } from './serve-public.ts';

const BUILT = fileURLToPath(new URL('../../../dist/console', import.meta.url));
const PORTAL_API = /^v1(?:\/|$)/;
const UNBUILT =
  '<!doctype html><html lang="en"><head><title>Tollgate</title></head><body><h1>The console is not built</h1><p>Start the gateway with npm start, which builds it. The operator API is described at /docs.</p></body></html>';

const CONTENT_TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), payment=(), usb=()',
};

export interface Brand {
  name: string;
  /** #rrggbb */
  color: string;
}

export function registerConsole(
  app: FastifyInstance,
  { docsPrefix, brand }: { docsPrefix: string; brand: Brand },
  folder = BUILT,
): void {
  const files = listFiles(folder, CONTENT_TYPES);
  serve(app, { root: '/console/', files, page: readPage(folder, 'index.html') });
  serve(app, {
    root: '/portal/',
    files,
    page: branded(readPage(folder, 'portal.html'), brand),
    except: PORTAL_API,
  });
  app.get('/', { schema: { hide: true } }, async (_request, reply) => reply.redirect(`${docsPrefix}/console/`));
}

interface Site {
  root: '/console/' | '/portal/';
  files: Map<string, StaticFile>;
  page: string;
  /** Paths below the root that are somebody else's. */
  except?: RegExp;
}

function serve(app: FastifyInstance, { root, files, page, except }: Site): void {
  const config = except === undefined ? {} : { [FITS]: new RegExp(`^${root}(?!${except.source.slice(1)})`) };
  app.get(root.slice(0, -1), { schema: { hide: true } }, async (_request, reply) => reply.redirect(root.slice(1)));
  app.get(`${root}*`, { schema: { hide: true }, config }, async (request, reply) => {
    const whole = splitUrl(request.url).path;
    const path = whole.slice(root.length);
    if (except?.test(path)) throw nothingAt(whole);
    reply.headers(SECURITY_HEADERS);
    const file = files.get(path);
    if (file !== undefined) return sendFile(file, request, reply);
    if (path.startsWith('assets/')) throw new GatewayError('not_found', { message: 'There is no such file.' });
    return sendPage(page, path, reply);
  });
}

/** The operator's name is text of the page, never markup. */
function branded(page: string, { name, color }: Brand): string {
  const text = name.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  return page.replaceAll('%NAME%', () => text).replaceAll('%COLOR%', () => color);
}

/** The nonce lets in the styles that the page's own library writes, and no others. */
function sendPage(page: string, path: string, reply: FastifyReply): FastifyReply {
  const nonce = randomBytes(16).toString('base64');
  // Relative, so that it holds under any path prefix.
  const base = '../'.repeat(path.split('/').length - 1) || './';
  return reply
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('content-security-policy', contentSecurityPolicy(nonce))
    .send(page.replaceAll('%NONCE%', nonce).replace('%BASE%', base));
}

function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "media-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function readPage(folder: string, name: string): string {
  try {
    return readFileSync(join(folder, name), 'utf8');
  } catch {
    return UNBUILT;
  }
}
