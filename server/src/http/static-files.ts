// Built files that are served: every file is on a list that is made once, so that no path leads anywhere else.
import { globSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';

export interface StaticFile {
  path: string;
  type: string;
  compressed: boolean;
  /** Files with a digest in their name never change. */
  immutable: boolean;
  tag: string;
}

/** Name in the folder -> file, of those with a known type. */
export function listFiles(folder: string, types: Readonly<Record<string, string>>): Map<string, StaticFile> {
  const files = new Map<string, StaticFile>();
  const names = globSync('**/*', { cwd: folder }).map((name) => name.replaceAll('\\', '/'));
  const known = new Set(names);
  for (const name of names) {
    const type = types[extname(name)];
    if (type === undefined) continue;
    const path = join(folder, name);
    const { size, mtimeMs } = statSync(path);
    const tag = `"${size.toString(36)}-${Math.floor(mtimeMs).toString(36)}"`;
    files.set(name, { path, type, compressed: known.has(`${name}.gz`), immutable: name.startsWith('assets/'), tag });
  }
  return files;
}

export async function sendFile(file: StaticFile, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  reply.header('cache-control', file.immutable ? 'public, max-age=31536000, immutable' : 'no-cache');
  reply.header('etag', file.tag).header('vary', 'accept-encoding');
  if (request.headers['if-none-match'] === file.tag) return reply.code(304).send();
  const accepted = file.compressed && /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
  if (accepted) reply.header('content-encoding', 'gzip');
  return reply.type(file.type).send(await readFile(accepted ? `${file.path}.gz` : file.path));
}
