// Reads a request body up to a limit and parses it as JSON.
import type { IncomingMessage } from 'node:http';
import { Refusal } from '../protocol.ts';

const bodyLimit = 64 * 1024 * 1024;

export async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= bodyLimit) chunks.push(chunk);
    // The rest is read and dropped: a refusal sent against a running upload may be lost with the connection.
    else chunks.length = 0;
  }
  if (size > bodyLimit) throw new Refusal({ status: 413, message: 'The request body is larger than 64 MiB.' });
  return Buffer.concat(chunks, size);
}

/** Undefined when the bytes are not JSON. */
export function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}
