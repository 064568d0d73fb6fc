// Lets an endpoint answer a request with an idempotency key once, without its knowing of the key: the body it reads decides
// whether it is carried out, and the reply it writes to is kept.
import type { Claims, KeptAnswer } from '../../access/idempotency/claims.ts';
import { Claim } from '../../access/idempotency/claim.ts';
import type { Exchange } from '../../endpoints/endpoint.ts';
import type { Form } from '../../neutral/form.ts';
import type { ClientReply } from '../../relay/call.ts';
import { markReplayed, RecordingReply } from './recording-reply.ts';
import { modelOfRequest } from './model-of-request.ts';
import { digestOfBytes, digestOfForm } from './request-digest.ts';

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
