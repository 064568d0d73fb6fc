// Calls the sandbox in its own tests: bare HTTP, so that broken answers are seen as they are.
import { type ClientRequest, type IncomingMessage, request as openRequest } from 'node:http';
import type { Sandbox, SandboxProvider, SandboxRecord } from './server.ts';

export type Got = {
  status: number;
  headers: IncomingMessage['headers'];
  chunks: Buffer[];
  text: string;
  /** The connection ended before the answer did. */
  broken: boolean;
};

export type CallOptions = {
  directive?: string;
  key?: string | null;
  path?: string;
  method?: string;
  raw?: string | Buffer;
  provider?: SandboxProvider;
  contentType?: string;
  headers?: Record<string, string>;
};

export function openCall(sandbox: Sandbox, body: unknown, options: CallOptions = {}): ClientRequest {
  const { directive, key = 'sandbox', path = '/chat/completions', method = 'POST', raw } = options;
  const { provider = 'openai', contentType = 'application/json', headers = {} } = options;
  const call = openRequest(sandbox.baseUrl(provider, directive) + path, {
    method,
    agent: false,
    headers: {
      'content-type': contentType,
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...headers,
    },
  });
  call.end(method !== 'POST' ? undefined : (raw ?? JSON.stringify(body)));
  return call;
}

export async function readAnswer(call: ClientRequest): Promise<Got> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    call.once('response', resolve);
    call.once('error', reject);
  });
  const chunks: Buffer[] = [];
  let broken = false;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
  } catch {
    broken = true;
  }
  const text = Buffer.concat(chunks).toString('utf8');
  return { status: response.statusCode ?? 0, headers: response.headers, chunks, text, broken };
}

export async function call(sandbox: Sandbox, body: unknown, options: CallOptions = {}): Promise<Got> {
  return readAnswer(openCall(sandbox, body, options));
}

export function chatBody(text: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  return { model: 'sandbox-chat', messages: [{ role: 'user', content: text }], ...more };
}

export type Chunk = {
  choices: { index: number; delta: { content?: string | null; role?: string }; finish_reason: string | null }[];
  usage?: Record<string, unknown> | null;
  error?: { type: string };
};

/** The events of a stream; `[DONE]` is null. */
export function readEvents(text: string): (Chunk | null)[] {
  const events = text.split(/\r?\n\r?\n/).filter((event) => event !== '');
  return events.map((event) => (event === 'data: [DONE]' ? null : (JSON.parse(event.slice('data: '.length)) as Chunk)));
}

export type FormEntry = { name: string; value: string | Buffer; filename?: string };

/** A form as bytes, with what to say of it. */
export function writeForm(
  entries: readonly FormEntry[],
  boundary = 'xYzBoundary',
): { raw: Buffer; contentType: string } {
  const parts = entries.flatMap(({ name, value, filename }) => {
    const file = filename === undefined ? '' : `; filename="${filename}"\r\nContent-Type: application/octet-stream`;
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`;
    return [Buffer.from(head), Buffer.from(value), Buffer.from('\r\n')];
  });
  const raw = Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]);
  return { raw, contentType: `multipart/form-data; boundary=${boundary}` };
}

export type TypedEvent = { event: string | undefined; data: Record<string, unknown> };

/** The events of a stream whose events have names or types. */
export function readTypedEvents(text: string): TypedEvent[] {
  const blocks = text.split(/\r?\n\r?\n/).filter((block) => block !== '');
  return blocks.map((block) => {
    const [, event] = /^event: (.*)$/m.exec(block) ?? [];
    const [, data = ''] = /^data: (.*)$/m.exec(block) ?? [];
    return { event, data: JSON.parse(data) as Record<string, unknown> };
  });
}

export function joinContent(events: readonly (Chunk | null)[]): string {
  return events.map((event) => event?.choices[0]?.delta.content ?? '').join('');
}

export async function waitUntil(sandbox: Sandbox, isReached: (last: SandboxRecord) => boolean): Promise<SandboxRecord> {
  const end = Date.now() + 60_000; // a slow, busy machine too
  for (;;) {
    const last = sandbox.records.at(-1);
    if (last !== undefined && isReached(last)) return last;
    if (Date.now() > end) throw new Error(`not reached: ${JSON.stringify(last)}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
