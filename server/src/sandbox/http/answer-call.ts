// The way of one call: find the protocol and endpoint, read the body, judge the key, gather the behaviour, answer.
import {
  findPromptDirectives,
  joinBehaviours,
  type OnceMemory,
  type PromptDirectives,
  readBehavePath,
} from '../directives.ts';
import type { Endpoint, SandboxProtocol } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import type { RecordBook } from '../records.ts';
import { directiveForms } from '../scenarios.ts';
import { type Exchange, makeRequestId, readHead, waitFor } from './exchange.ts';
import { checkKey } from './keys.ts';
import { readBody, type ReceivedBody } from './read-body.ts';
import { sendFailure, sendSubstitute } from './send-substitute.ts';
import { sendWhole } from './send-whole.ts';

export type SandboxContext = {
  book: RecordBook;
  onceMemory: OnceMemory;
  models: readonly string[];
  protocols: readonly SandboxProtocol[];
};

export async function answerCall(exchange: Exchange, context: SandboxContext): Promise<void> {
  const target = readBehavePath(exchange.record.path);
  const protocol = context.protocols.find(({ prefix }) => `${target.path}/`.startsWith(`/${prefix}/`));
  if (protocol === undefined) return refuseUnknownPath(exchange, context);
  const { requestIdHeader } = protocol;
  if (requestIdHeader !== undefined) exchange.response.setHeader(requestIdHeader, makeRequestId(exchange));
  try {
    await answerWithin(exchange, context, { protocol, target });
  } catch (error) {
    if (exchange.signal.aborted) return;
    if (exchange.response.headersSent) throw error;
    // Anything else is beyond the sandbox's own means, such as a schema nested deeper than the stack.
    const message = `The sandbox itself failed: ${String(error)}`;
    await sendFailure(exchange, protocol, error instanceof Refusal ? error.failure : { status: 500, message });
  }
}

const NO_BYTES = Buffer.alloc(0);

type Target = { protocol: SandboxProtocol; target: ReturnType<typeof readBehavePath> };

async function answerWithin(exchange: Exchange, context: SandboxContext, { protocol, target }: Target): Promise<void> {
  const { request, record } = exchange;
  const received = await readBody(request);
  const { body, form } = received;
  context.book.attachBody(record, received);
  const head = readHead(request);
  const path = target.path.slice(protocol.prefix.length + 1);
  const { method } = record;
  const caller = {
    head,
    method,
    path,
    url: request.url ?? '/',
    bytes: received.bytes ?? NO_BYTES,
    now: exchange.now(),
  };
  const key = protocol.authenticate?.(caller) ?? checkKey(head, protocol);
  refuseUnknownDirectives(target.unknown);
  const endpoint = findEndpoint(protocol, record.method, path);
  if (endpoint.method === 'POST') checkType(request.headers['content-type'], endpoint, received);

  const prompt: PromptDirectives = findPromptDirectives(protocol.readUserTexts(body));
  const written = [...target.directives, ...prompt.known];
  const due = context.onceMemory.stillDue(written, { key, path: record.path });
  record.directives = due.map((directive) => directive.text);
  const behaviour = joinBehaviours(due);

  await waitFor(exchange, behaviour.waitMs);
  const wantsStream = protocol.wantsStream(body, head) && behaviour.ignoreStream !== true;
  if (behaviour.substitute !== undefined) {
    return sendSubstitute(exchange, behaviour.substitute, { protocol, wantsStream });
  }
  const now = exchange.now();
  const { models } = context;
  const { query } = head;
  const unknownDirectives = prompt.unknown;
  await endpoint.answer({ exchange, path, query, key, body, form, behaviour, unknownDirectives, models, now });
}

function findEndpoint(protocol: SandboxProtocol, method: string, path: string): Endpoint {
  const here = protocol.endpoints.filter((endpoint) => endpoint.path.test(path));
  const endpoint = here.find((one) => one.method === method);
  if (endpoint !== undefined) return endpoint;
  const message = `Invalid URL (${method} ${path})`;
  if (here.length === 0) throw new Refusal({ status: 404, message, code: 'unknown_url' });
  const allow = here.map((one) => one.method).join(', ');
  throw new Refusal({ status: 405, message: `${message}. Allowed: ${allow}.`, code: 'method_not_supported', allow });
}

function checkType(contentType = '', { takes = 'json' }: Endpoint, { body, form }: ReceivedBody): void {
  if (takes === 'nothing') return;
  const isJson = /^application\/(.+\+)?json\s*(;|$)/i.test(contentType);
  const fits = (form !== undefined && takes !== 'json') || (isJson && takes !== 'form');
  if (!fits) {
    const wanted = { json: 'JSON', form: 'multipart/form-data', 'json or form': 'JSON or multipart/form-data' }[takes];
    throw new Refusal({ status: 415, message: `Unsupported content type: '${contentType}'. Send ${wanted}.` });
  }
  if (body === undefined) {
    throw new Refusal({ status: 400, message: 'We could not parse the JSON body of your request.' });
  }
}

function refuseUnknownDirectives(unknown: readonly string[]): void {
  if (unknown.length === 0) return;
  const known = directiveForms.join(', ');
  throw new Refusal({
    status: 400,
    code: 'unknown_directive',
    message: `The sandbox knows no directive '${unknown.join("', '")}'. Known, each also after 'once-': ${known}.`,
  });
}

async function refuseUnknownPath(exchange: Exchange, context: SandboxContext): Promise<void> {
  const served = context.protocols.map(({ prefix }) => `/${prefix}`).join(', ');
  exchange.request.resume();
  const message = `Nothing is served at ${exchange.record.path}. Served: ${served}, each also after /behave/DIRECTIVE.`;
  await sendWhole(exchange, {
    status: 404,
    body: { error: { message, type: 'invalid_request_error', param: null, code: 'unknown_url' } },
  });
}
