// Lets an endpoint answer a request with an idempotency key once, without its knowing of the key: the body it reads decides
// whether it is carried out, and the reply it writes to is kept.
import type { Claims, KeptAnswer } from '../../access/idempotency/claims.ts';
import { Claim } from '../../access/idempotency/claim.ts';
import type { Exchange } from '../../endpoints/endpoint.ts';
import type { Form } from '../../neutral/form.ts';
import type { ClientReply } from '../../relay/call.ts';
import { markReplayed, RecordingReply } from './recording-reply.ts';
import { createHash } from 'node:crypto';
import { setImmediate as nextTick } from 'node:timers/promises';
import { formText } from '../../protocols/json/form-request.ts';
import { DEFAULT_MODEL } from '../../protocols/openai-moderations/read-request.ts';
import { JsonSyntaxError, readField, scanJsonObject } from '../../shared/json-fields.ts';

export interface KeyedExchange {
  key: string;
  path: string;
  exchange: Exchange;
  /** Throws when the token's scopes do not reach the model: keys are the account's, its tokens may differ. */
  checkModel(model: string): void;
}

/** Unwinds the endpoint: its request has been answered. */
class Replayed extends Error {}

export async function serveOnce(
  claims: Claims,
  { key, path, exchange, checkModel }: KeyedExchange,
  serve: (exchange: Exchange) => Promise<void> | void,
): Promise<void> {
  const { principal } = exchange;
  const scope = principal.mode === 'test' ? `${principal.accountId}:test` : principal.accountId;
  const reply = new RecordingReply(exchange.reply, exchange.requestId);
  const claim = async (digest: string, request: Buffer | Form): Promise<void> => {
    const checkScope = (): void => {
      const model = modelOfRequest(path, exchange.wildcard, request);
      if (model !== undefined) checkModel(model);
    };
    const found = await claims.begin({ scope, key, digest, requestId: exchange.requestId });
    if (!(found instanceof Claim)) {
      checkScope();
      await replay(exchange.reply, found);
      throw new Replayed();
    }
    reply.keepFor(found);
    if (found.made !== undefined) checkScope();
    through.madeTask = found.made?.id;
  };
  const through: Exchange = {
    ...exchange,
    reply,
    async readJson() {
      const body = await exchange.readJson();
      await claim(await digestOfBytes(path, body), body);
      return body;
    },
    async readForm(options) {
      const form = await exchange.readForm(options);
      await claim(await digestOfForm(path, form), form);
      return form;
    },
    sendJson(value) {
      const type = { 'content-type': 'application/json; charset=utf-8' };
      reply.sendWhole(200, type, Buffer.from(JSON.stringify(value)));
    },
  };
  try {
    await serve(through);
    await reply.sent;
  } catch (error) {
    if (error instanceof Replayed) return;
    reply.forgo();
    await reply.sent;
    throw error;
  }
}

async function replay(reply: ClientReply, { status, head, body }: KeptAnswer): Promise<void> {
  markReplayed(reply, head.requestId);
  if (head.form === 'whole') {
    const pieces: Buffer[] = [];
    for await (const piece of body()) pieces.push(piece);
    reply.sendWhole(status, head.headers, Buffer.concat(pieces));
    return;
  }
  for (const [name, value] of Object.entries(head.headers)) reply.setHeader(name, value);
  const drained = pacing(reply);
  reply.beginStream(head.contentType);
  for await (const piece of body()) {
    if (reply.gone) return;
    if (!reply.write(piece)) await drained();
  }
  if (head.form === 'broken') reply.breakOff();
  else reply.end(undefined);
}

/** Until the client can take more, or is gone. */
function pacing(reply: ClientReply): () => Promise<void> {
  let go: (() => void) | undefined;
  reply.onGone(() => go?.());
  return () =>
    new Promise((resolve) => {
      go = resolve;
      reply.onDrain(resolve);
    });
}

// What makes two requests the same: path and body. Of a form its parts count, not the boundary, which clients choose for
// each try.
const PIECE_BYTES = 256 * 1024;
const SLICE_BYTES = 4 * 1024 * 1024;

/** Other requests run between the pieces of a large body. */
async function digestOfBytes(path: string, body: Uint8Array): Promise<string> {
  const hash = createHash('sha256').update(`${path}\n`);
  for (let start = 0; start < body.length; start += SLICE_BYTES) {
    if (start > 0) await nextTick();
    hash.update(body.subarray(start, start + SLICE_BYTES));
  }
  return hash.digest('base64url');
}

async function digestOfForm(path: string, form: Form): Promise<string> {
  const hash = createHash('sha256').update(`${path}\n`);
  for (const { name, filename, contentType, valueStart, valueEnd } of form.parts) {
    const length = valueEnd - valueStart;
    hash.update(JSON.stringify([name, filename ?? null, contentType ?? null, length]));
    for (let start = valueStart; start < valueEnd; start += PIECE_BYTES)
      hash.update(await form.read(start, Math.min(valueEnd, start + PIECE_BYTES)));
  }
  return hash.digest('base64url');
}

// The model that a request names, read only when an answer kept for another request is about to be given again.
const IN_PATH = /^\/v1beta\/models\//;

/** undefined where the request has none, such as the cancellation of a stored response. */
function modelOfRequest(path: string, wildcard: string, body: Buffer | Form): string | undefined {
  if (IN_PATH.test(path)) {
    const mark = wildcard.lastIndexOf(':');
    return mark === -1 ? wildcard : wildcard.slice(0, mark);
  }
  const named = Buffer.isBuffer(body) ? modelInJson(body) : formText(body, 'model');
  return named ?? (path === '/v1/moderations' ? DEFAULT_MODEL : undefined);
}

function modelInJson(body: Buffer): string | undefined {
  try {
    const model = readField(scanJsonObject(body), 'model');
    return typeof model === 'string' ? model : undefined;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined; // such a request has no answer that is kept
    throw error;
  }
}
