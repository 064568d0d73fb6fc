// Pictures, sound and forms as clients send them, and what is left of them in the gateway afterwards.
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import OpenAI from 'openai';
import type { LoggedRequest } from '#contract/requests.ts';
import type { SandboxRecord } from '../../server/src/sandbox/server.ts';
import { requestsOf } from './money.ts';
import { waitUntil } from './wait.ts';
import type { World } from './world.ts';

export function sdkOf({ gateway, key }: Pick<World, 'gateway' | 'key'>): OpenAI {
  return new OpenAI({ apiKey: key, baseURL: `${gateway.address}/v1`, maxRetries: 0 });
}

const SAMPLE_RATE = 8_000;

/** Noise of 16 bits, one channel. */
export function wave(seconds: number): Buffer<ArrayBuffer> {
  const samples = randomBytes(Math.round(seconds * SAMPLE_RATE) * 2);
  const head = Buffer.alloc(44);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(36 + samples.length, 4);
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(SAMPLE_RATE, 24);
  head.writeUInt32LE(SAMPLE_RATE * 2, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(samples.length, 40);
  return Buffer.concat([head, samples]);
}

/** Begins as a PNG does; nobody on the way looks further. */
export function picture(bytes = 2_000): Buffer<ArrayBuffer> {
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), randomBytes(bytes)]);
}

export function fileOf(bytes: Buffer<ArrayBuffer>, name: string, type: string): File {
  return new File([bytes], name, { type });
}

export function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export type Field = [name: string, value: string | File];

export function postForm(world: World, path: string, fields: Field[], signal?: AbortSignal): Promise<Response> {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  return fetch(`${world.gateway.address}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${world.key}` },
    body: form,
    ...(signal !== undefined && { signal }),
  });
}

/** What the upstream says it got as files, in order. */
export function filesOf(record: SandboxRecord | undefined): { field: string; bytes: number; sha256: string }[] {
  return (record?.body as { files?: { field: string; bytes: number; sha256: string }[] } | null)?.files ?? [];
}

/** Waits a little for the first: a client that leaves is logged a moment later. */
export async function lastRequest({ gateway, account }: World): Promise<LoggedRequest> {
  let last: LoggedRequest | undefined;
  await waitUntil(async () => {
    last = (await requestsOf(gateway, { account_id: account.id })).at(-1);
    return last !== undefined;
  }, 'no request was logged');
  assert.ok(last);
  return last;
}

/** Nothing lies in the spool, and this process holds no file that did. */
export async function assertSpoolEmpties(dataFolder: string): Promise<void> {
  const spool = join(dataFolder, 'spool');
  await waitUntil(() => namesIn(spool).length === 0 && openFilesIn(spool).length === 0, 'the spool is not empty');
}

export function openFilesIn(folder: string): string[] {
  return namesIn('/proc/self/fd')
    .map((fd) => linkOf(`/proc/self/fd/${fd}`))
    .filter((target) => target.startsWith(folder));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // no spool was needed yet, or no such view of a process on this system
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return ''; // closed meanwhile
  }
}
