// Forms as tests send them: the bytes, the request that brings them in any pieces, and a model of a form to compare with.
import { mkdtempSync, rmSync } from 'node:fs';
import { readdir, readlink } from 'node:fs/promises';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { GatewayError } from '../../../errors/gateway-error.ts';
import type { Form, FormBody } from '../../../neutral/form.ts';
import { randomLetters } from '../../../shared/ids.ts';
import { type FormLimits, readForm, usualFormLimits } from '../read-form.ts';

export interface ModelPart {
  name: string;
  filename?: string | undefined;
  contentType?: string | undefined;
  value: Buffer;
}

export interface ModelForm {
  boundary: string;
  preamble: string;
  parts: ModelPart[];
  epilogue: string;
}

const spools = mkdtempSync(join(tmpdir(), 'tollgate-spool-'));
process.once('exit', () => rmSync(spools, { recursive: true, force: true }));

export const formLimits = (changes: Partial<FormLimits> = {}): FormLimits => ({
  ...usualFormLimits,
  maxBytes: 1024 * 1024,
  spoolFolder: join(spools, randomLetters(10)),
  ...changes,
});

const escape = (text: string): string => text.replaceAll('"', '%22').replaceAll('\\', '\\\\');

export function bytesOf({ boundary, preamble, parts, epilogue }: ModelForm): Buffer {
  const pieces: (string | Buffer)[] = [preamble];
  for (const { name, filename, contentType, value } of parts) {
    const file = filename === undefined ? '' : `; filename="${escape(filename)}"`;
    const type = contentType === undefined ? '' : `Content-Type: ${contentType}\r\n`;
    pieces.push(`--${boundary}\r\nContent-Disposition: form-data; name="${escape(name)}"${file}\r\n${type}\r\n`);
    pieces.push(value, '\r\n');
  }
  pieces.push(`--${boundary}--`, epilogue);
  return Buffer.concat(pieces.map((piece) => Buffer.from(piece as string)));
}

export class SentRequest extends PassThrough {
  readonly headers: IncomingHttpHeaders;

  constructor(headers: IncomingHttpHeaders) {
    super();
    this.headers = headers;
  }

  get message(): IncomingMessage {
    return this as unknown as IncomingMessage;
  }
}

/** Sends the bytes in pieces that end at the given offsets, each in memory of its own, as they come from a socket. */
export function sentIn(boundary: string, body: Buffer, cuts: readonly number[] = []): SentRequest {
  const request = new SentRequest({ 'content-type': `multipart/form-data; boundary="${boundary}"` });
  let from = 0;
  for (const cut of [...cuts].sort((a, b) => a - b)) {
    if (cut > from) request.write(Buffer.copyBytesFrom(body, from, cut - from));
    from = Math.max(from, cut);
  }
  request.end(Buffer.copyBytesFrom(body, from));
  return request;
}

export const readBytes = (body: Buffer, limits: FormLimits, boundary = 'b'): Promise<Form> =>
  readForm(sentIn(boundary, body).message, limits);

/** The refusal as `code: message (param)`, or the word none. */
export async function refusalOf(form: Promise<Form>): Promise<string> {
  try {
    await (await form).discard();
    return 'none';
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    const { param } = error.details;
    return `${error.code}: ${error.message}${param === undefined ? '' : ` (${param})`}`;
  }
}

export async function collect(body: FormBody): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(body.open(), (piece) => Buffer.from(piece)));
}

/** What a body is as the gateway writes it, and its boundary. */
export function writtenForm(parts: readonly ModelPart[], { contentType }: FormBody): Buffer {
  const [, boundary = ''] = /^multipart\/form-data; boundary=(tollgate-\w{32})$/u.exec(contentType) ?? [];
  const files = parts.map((part) => ({
    ...part,
    filename: part.filename === '' ? 'file' : part.filename,
    contentType: part.filename === undefined ? undefined : (part.contentType ?? 'application/octet-stream'),
  }));
  return bytesOf({ boundary, preamble: '', parts: files, epilogue: '\r\n' });
}

/** What lies in the folder, and the spool files this process holds open without a name (seen on Linux only). */
export async function leftovers(folder: string): Promise<string[]> {
  const files = await readdir(folder).catch(() => []);
  const handles = await readdir('/proc/self/fd').catch(() => []);
  const targets = await Promise.all(handles.map((handle) => readlink(`/proc/self/fd/${handle}`).catch(() => '')));
  return [...files, ...targets.filter((target) => target.startsWith(folder))];
}
