// Reads a request body up to a limit: JSON whole, a form piece by piece without keeping its files.
import type { IncomingMessage } from 'node:http';
import { Refusal } from '../refusal.ts';
import { rawBodyLimit } from '../records.ts';
import { type Form, readFields, summariseForm } from './form/form.ts';
import { createFormParser } from './form/form-parser.ts';
import { readBoundary } from './form/part-header.ts';
import { shortenForRecord } from './shorten-for-record.ts';

const mebibyte = 1024 * 1024;
const jsonLimit = 64 * mebibyte;
const formLimit = 96 * mebibyte;
const shortenAbove = mebibyte;

export type ReceivedBody = {
  /** The parsed JSON, or the text fields of a form; undefined when it is neither. */
  body: unknown;
  form: Form | undefined;
  size: number;
  /** All of it, where it is no form. */
  bytes?: Buffer;
  /** The first 64 KiB. */
  head: Buffer;
  /** What a record keeps as body. */
  summary: unknown;
  /** How many bytes the summary holds, about. */
  summaryBytes: number;
};

export async function readBody(request: IncomingMessage): Promise<ReceivedBody> {
  const contentType = request.headers['content-type'] ?? '';
  return /^multipart\/form-data\s*(;|$)/i.test(contentType) ? readForm(request, contentType) : readJson(request);
}

async function readJson(request: IncomingMessage): Promise<ReceivedBody> {
  const chunks: Buffer[] = [];
  const size = await readAll(request, { limit: jsonLimit, take: (chunk) => chunks.push(chunk) });
  const bytes = Buffer.concat(chunks, size);
  chunks.length = 0;
  const body = parseJson(bytes);
  const { summary, saved } = size > shortenAbove ? shortenForRecord(body) : { summary: body, saved: 0 };
  const summaryBytes = Math.max(0, size - saved);
  return {
    body,
    form: undefined,
    size,
    bytes,
    head: Buffer.from(bytes.subarray(0, rawBodyLimit)),
    summary,
    summaryBytes,
  };
}

async function readForm(request: IncomingMessage, contentType: string): Promise<ReceivedBody> {
  const heads: Buffer[] = [];
  let headBytes = 0;
  let failure: unknown;
  let parser: ReturnType<typeof createFormParser> | undefined;
  const attempt = (action: () => void): void => {
    try {
      if (failure === undefined) action();
    } catch (error) {
      failure = error;
    }
  };
  attempt(() => (parser = createFormParser(readBoundary(contentType))));
  const size = await readAll(request, {
    limit: formLimit,
    take(chunk) {
      const piece = Buffer.from(chunk.subarray(0, rawBodyLimit - headBytes));
      if (piece.length > 0) heads.push(piece);
      headBytes += piece.length;
      attempt(() => parser?.push(chunk));
    },
  });
  // A malformed form is refused only now: a refusal sent against a running upload may be lost with the connection.
  if (failure !== undefined || parser === undefined) throw failure;
  const form = parser.finish();
  const summary = summariseForm(form);
  const summaryBytes = headBytes + form.fields.reduce((sum, { value }) => sum + value.length, 0);
  return { body: readFields(form), form, size, head: Buffer.concat(heads), summary, summaryBytes };
}

type Reading = { limit: number; take(chunk: Buffer): void };

/** Beyond the limit the rest is read and dropped, for the same reason as above. */
async function readAll(request: IncomingMessage, { limit, take }: Reading): Promise<number> {
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= limit) take(chunk);
  }
  if (size <= limit) return size;
  throw new Refusal({ status: 413, message: `The request body is larger than ${limit / mebibyte} MiB.` });
}

/** Undefined when the bytes are not JSON. */
function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}
