// Serves the built console. Every file is on a list made at the start, so that no path leads anywhere else; all other paths
// under /console are the page itself, whose router knows them.
import { randomBytes } from 'node:crypto';
import { globSync, readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { GatewayError } from '../errors/gateway-error.ts';
import { splitUrl } from './serve-public.ts';

const BUILT = fileURLToPath(new URL('../../../dist/console', import.meta.url));
const ROOT = '/console/';
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

interface ConsoleFile {
  path: string;
  type: string;
  compressed: boolean;
  /** Files with a digest in their name never change. */
  immutable: boolean;
  tag: string;
}

export function registerConsole(app: FastifyInstance, prefix: string, folder = BUILT): void {
  const files = listFiles(folder);
  const page = readPage(folder);

  app.get('/console', { schema: { hide: true } }, async (_request, reply) => reply.redirect('console/'));
  app.get('/console/*', { schema: { hide: true } }, async (request, reply) => {
    const path = splitUrl(request.url).path.slice(ROOT.length);
    reply.headers(SECURITY_HEADERS);
    const file = files.get(path);
    if (file !== undefined) return sendFile(file, request, reply);
    if (path.startsWith('assets/')) throw new GatewayError('not_found', { message: 'No such file of the console.' });
    return sendPage(page, path, reply);
  });
  app.get('/', { schema: { hide: true } }, async (_request, reply) => reply.redirect(`${prefix}/console/`));
}

async function sendFile(file: ConsoleFile, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  reply.header('cache-control', file.immutable ? 'public, max-age=31536000, immutable' : 'no-cache');
  reply.header('etag', file.tag).header('vary', 'accept-encoding');
  if (request.headers['if-none-match'] === file.tag) return reply.code(304).send();
  const accepted = file.compressed && /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
  if (accepted) reply.header('content-encoding', 'gzip');
  return reply.type(file.type).send(await readFile(accepted ? `${file.path}.gz` : file.path));
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

function listFiles(folder: string): Map<string, ConsoleFile> {
  const files = new Map<string, ConsoleFile>();
  const names = globSync('**/*', { cwd: folder }).map((name) => name.replaceAll('\\', '/'));
  for (const name of names) {
    const type = CONTENT_TYPES[extname(name)];
    if (type === undefined) continue;
    const path = join(folder, name);
    const { size, mtimeMs } = statSync(path);
    const tag = `"${size.toString(36)}-${Math.floor(mtimeMs).toString(36)}"`;
    const compressed = names.includes(`${name}.gz`);
    files.set(name, { path, type, compressed, immutable: name.startsWith('assets/'), tag });
  }
  return files;
}

function readPage(folder: string): string {
  try {
    return readFileSync(join(folder, 'index.html'), 'utf8');
  } catch {
    return UNBUILT;
  }
}
