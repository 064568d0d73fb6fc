// The body of one request, read in the way its endpoint asks for: checked by its headers before the first byte, bounded while it
// comes. JSON is one buffer in the end, and large ones share a budget of memory; forms lie in the spool. Both are given up when the
// request ends, however it ends.
import type { IncomingMessage } from 'node:http';
import type { Principal } from '../access/principal.ts';
import type { Form } from '../neutral/form.ts';
import type { Release } from '../shared/reserve-memory.ts';
import { COUNTED_FROM, freeReleased } from '../shared/runtime/counted-bytes.ts';
import type { BodyBudget } from './body-budget.ts';
import { readForm, usualFormLimits } from './forms/read-form.ts';
import { scanAhead } from '../protocols/json/json-request.ts';
import type { PublicRequest, PublicResponse } from './public-exchange.ts';
import { FREE_BYTES, RequestMemory } from './request-memory.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import { BufferedBody } from './bodies/buffered-body.ts';
import { BodyPace } from './body-pace.ts';

export interface BodyDependencies {
  maxBodyBytes: number;
  bodyBudget: BodyBudget;
  spoolFolder: string;
  /** Before a large JSON body is read: throws where that would be in vain. */
  beforeLarge?(payer: Principal): Promise<void>;
}

export class RequestBody {
  readonly #dependencies: BodyDependencies;
  readonly #request: PublicRequest;
  readonly #response: PublicResponse;
  readonly #releases: (() => void)[] = [];
  /** For the body and for what is added to it; few requests need any. */
  #memory: RequestMemory | undefined;
  #ended = false;
  /** Who sends it, once that is known. */
  payer: Principal | undefined;

  constructor(
    dependencies: BodyDependencies,
    { request, response }: { request: PublicRequest; response: PublicResponse },
  ) {
    this.#dependencies = dependencies;
    this.#request = request;
    this.#response = response;
  }

  /** By its content type. */
  get isJson(): boolean {
    return isJsonType(this.#request.headers['content-type']);
  }

  /** A large one is scanned in slices before anybody reads it. */
  readJson(): Promise<Buffer> {
    const request = this.#request;
    if ('body' in request) return Promise.resolve(request.body); // its type and its size were looked at as it came
    const { maxBodyBytes } = this.#dependencies;
    const length = request.headers['content-length'];
    if (length !== undefined && Number(length) > FREE_BYTES && Number(length) <= maxBodyBytes && this.isJson)
      return this.#acquireForBody(Number(length)).then(() => this.#freeLater(readJsonBody(request, maxBodyBytes)));
    if (length === undefined) return this.#freeLater(this.#readUnmeasured(request));
    const body = readJsonBody(request, maxBodyBytes);
    return Number(length) >= COUNTED_FROM ? this.#freeLater(body) : body;
  }

  async readForm(options: { maxBytes?: number; orJson?: true } = {}): Promise<Form> {
    const { maxBodyBytes, spoolFolder } = this.#dependencies;
    const { maxBytes = maxBodyBytes, orJson } = options;
    const form = await readForm(this.#request, { ...usualFormLimits, maxBytes, spoolFolder, orJson });
    this.#keep(() => void form.discard().catch(() => {}));
    return form;
  }

  /**
   * Asks for memory beside what the body takes: for what a small request names and the gateway puts into it. Waits where the
   * request has none of it yet; with a large body, or asked again, it is had at once or the request is refused.
   */
  async reserve(bytes: number, lasting?: number): Promise<Release> {
    return bytes <= FREE_BYTES ? () => {} : this.#acquire(bytes, lasting);
  }

  /** Gives up what the body took. */
  end(): void {
    this.#ended = true;
    for (const release of this.#releases.splice(0)) release();
  }

  /** A body of unknown length waits in its middle, once it has become large, for the most that it may be. */
  async #readUnmeasured(request: IncomingMessage): Promise<Buffer> {
    const { maxBodyBytes } = this.#dependencies;
    const ending = new AbortController();
    let release: Release | undefined;
    let bytes = 0;
    const onData = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes <= FREE_BYTES) return;
      request.off('data', onData).pause();
      this.#acquireForBody(maxBodyBytes).then(
        (taken) => {
          release = taken;
          request.resume();
        },
        (error: unknown) => ending.abort(error),
      );
    };
    const read = readJsonBody(request, maxBodyBytes, ending.signal);
    request.on('data', onData);
    const body = await read;
    release?.(body.length);
    return body;
  }

  async #acquireForBody(bytes: number): Promise<Release> {
    // With an idempotency key the answer may be there already, and cost nothing (contract 5).
    const mayReplay = this.#request.headers['idempotency-key'] !== undefined;
    const isPaid = this.#request.method === 'POST' && !mayReplay;
    if (this.payer !== undefined && isPaid) await this.#dependencies.beforeLarge?.(this.payer);
    return this.#acquire(bytes);
  }

  async #acquire(bytes: number, lasting = bytes): Promise<Release> {
    if (this.#memory === undefined) {
      const memory = new RequestMemory(this.#dependencies.bodyBudget, { owner: this.payer?.tokenId });
      this.#memory = memory;
      this.#keep(() => memory.end());
    }
    const gone = new AbortController();
    const onClose = (): void => gone.abort();
    this.#response.once('close', onClose);
    try {
      return await this.#memory.acquire(bytes, { lasting, gone });
    } finally {
      this.#response.off('close', onClose);
    }
  }

  async #freeLater(read: Promise<Buffer>): Promise<Buffer> {
    const body = await read;
    this.#keep(() => freeReleased(body));
    await scanAhead(body);
    return body;
  }

  #keep(release: () => void): void {
    if (this.#ended) release();
    else this.#releases.push(release);
  }
}

/** Rejects with the signal's reason when that fires first. */
export function readJsonBody(request: IncomingMessage, maxBytes: number, signal?: AbortSignal): Promise<Buffer> {
  const { 'content-type': type, 'content-encoding': encoding, 'content-length': length } = request.headers;
  if (!isJsonType(type)) throw new GatewayError('unsupported_media_type');
  if (encoding !== undefined && encoding !== 'identity') {
    throw new GatewayError('unsupported_media_type', {
      message: `The content encoding "${encoding.slice(0, 40)}" is not supported. Send the body uncompressed.`,
    });
  }
  const expected = length === undefined ? undefined : Number(length);
  if (expected !== undefined && expected > maxBytes) throw tooLarge(maxBytes);
  return collect(request, { expected, maxBytes, signal });
}

export function isJsonType(type: string | undefined): boolean {
  const essence = type?.split(';', 1)[0]?.trim().toLowerCase();
  return essence === 'application/json' || (essence?.startsWith('application/') === true && essence.endsWith('+json'));
}

function tooLarge(maxBytes: number): GatewayError {
  return new GatewayError('body_too_large', {
    message: `The request body is larger than ${maxBytes / (1024 * 1024)} MB.`,
  });
}

interface Bounds {
  expected: number | undefined;
  maxBytes: number;
  signal: AbortSignal | undefined;
}

function collect(request: IncomingMessage, { expected, maxBytes, signal }: Bounds): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (request.destroyed) throw new GatewayError('client_gone'); // it left while its token was looked up
    const body = new BufferedBody(expected);
    const pace = new BodyPace(expected, () => finish(new GatewayError('request_timeout')));
    const finish = (error: GatewayError | undefined): void => {
      pace.stop();
      request.off('data', onData).off('end', onEnd).off('close', onClose);
      if (error !== undefined) return reject(error);
      resolve(body.take());
    };
    const onData = (chunk: Buffer): void => {
      const { length } = chunk;
      if (body.bytes + length > maxBytes) return finish(tooLarge(maxBytes));
      body.add(chunk);
      pace.came(length);
    };
    const onEnd = (): void => finish(undefined);
    const onClose = (): void => finish(new GatewayError('client_gone'));
    signal?.addEventListener('abort', () => finish(signal.reason as GatewayError), { once: true });
    request.on('data', onData).on('end', onEnd).on('close', onClose);
  });
}
