// An exchange whose bodies are copied on their way, for a token that is set so; the endpoint does not know.
import type { Exchange } from '../../endpoints/endpoint.ts';
import type { Form } from '../../neutral/form.ts';
import type { KeptExchange } from '../../relay/kept-bodies.ts';
import type { PublicResponse } from '../public-exchange.ts';
import { BodyCopy } from './body-copy.ts';
import { CopyingReply } from './copying-reply.ts';

export class CopiedExchange {
  readonly exchange: Exchange;
  readonly #reply: CopyingReply;
  readonly #wanted: KeptExchange['wanted'];
  readonly #request = new BodyCopy();
  readonly #answer = new BodyCopy();

  constructor(exchange: Exchange, wanted: KeptExchange['wanted']) {
    this.#wanted = wanted;
    const request = this.#request;
    const reply = new CopyingReply(exchange.reply, this.#answer);
    this.#reply = reply;
    this.exchange = {
      ...exchange,
      reply,
      async readJson() {
        const body = await exchange.readJson();
        request.contentType = exchange.header('content-type');
        request.add(body);
        return body;
      },
      async readForm(options) {
        const form = await exchange.readForm(options);
        request.contentType = 'application/json';
        request.add(Buffer.from(JSON.stringify(describeForm(form))));
        return form;
      },
      sendJson: (value) => {
        const body = Buffer.from(JSON.stringify(value));
        reply.sendWhole(200, { 'content-type': 'application/json; charset=utf-8' }, body);
      },
    };
  }

  /** An error is answered past the exchange. */
  answered(body: string): void {
    this.#answer.contentType ??= 'application/json';
    this.#answer.add(Buffer.from(body));
  }

  /** When the answer is over. */
  end({ statusCode, headersSent, writableFinished }: PublicResponse): KeptExchange {
    const isBroken = !headersSent || !writableFinished || statusCode >= 400;
    return {
      requestId: this.exchange.requestId,
      request: this.#request.read(),
      answer: this.#answer.read(),
      failed: isBroken ? 'yes' : this.#reply.isStream ? 'perhaps' : 'no',
      wanted: this.#wanted,
    };
  }
}

/** Of files only what they are: their bytes are not for reading. */
function describeForm(form: Form): object {
  return {
    form: form.parts.map((part) => ({
      name: part.name,
      ...(part.filename === undefined && part.valueEnd - part.valueStart < 10_000
        ? { value: form.text(part) }
        : { file: part.filename ?? null, type: part.contentType ?? null, bytes: part.valueEnd - part.valueStart }),
    })),
  };
}
