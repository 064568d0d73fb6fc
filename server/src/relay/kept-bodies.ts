// Keeps what was asked and answered for tokens that are set so: in the background, sealed, without what looks like a key.
// A store that cannot follow costs these notes, never a request.
import { type Clock, unixSeconds } from '../shared/clock.ts';
import type { SecretBox } from '../shared/secret-box.ts';
import { insertBodies, type KeptBody, type KeptPair, sealBodies } from '../store/queries/request-bodies.ts';
import { findRequest } from '../store/queries/requests.ts';
import type { Store } from '../store/store.ts';
import { redactText } from '../telemetry/redact.ts';

export interface KeptExchange extends KeptPair {
  requestId: string;
  /** `perhaps`: it went out well, and the request log knows whether it ended so. */
  failed: 'yes' | 'no' | 'perhaps';
  wanted: 'errors' | 'all';
}

export type { KeptBody };

export interface KeptBodiesSettings {
  store: Store;
  box: SecretBox;
  clock: Clock;
  onError(error: unknown): void;
}

/** Of exchanges that wait to be written; together they take some megabytes at most. */
const MOST_WAITING = 100;
const AT_ONCE = 20;

export class KeptBodies {
  readonly #settings: KeptBodiesSettings;
  #waiting: KeptExchange[] = [];
  #writing: Promise<void> | undefined;

  constructor(settings: KeptBodiesSettings) {
    this.#settings = settings;
  }

  keep(exchange: KeptExchange): void {
    if (exchange.wanted === 'errors' && exchange.failed === 'no') return;
    if (this.#waiting.length >= MOST_WAITING) return;
    this.#waiting.push(exchange);
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined;
    });
  }

  /** Until everything that waits is written. */
  async stop(): Promise<void> {
    await this.#writing;
  }

  async #write(): Promise<void> {
    const { store, onError } = this.#settings;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, AT_ONCE);
      try {
        const wanted = await Promise.all(batch.map((exchange) => this.#isWanted(exchange)));
        const rows = batch.filter((_, index) => wanted[index]).map((exchange) => this.#seal(exchange));
        if (rows.length > 0) await insertBodies(store, rows);
      } catch (error) {
        onError(error);
      }
    }
  }

  async #isWanted({ wanted, failed, requestId }: KeptExchange): Promise<boolean> {
    if (wanted === 'all' || failed === 'yes') return true;
    const line = await findRequest(this.#settings.store.reads, requestId);
    return line !== undefined && line.error_code !== null;
  }

  #seal({ requestId, request, answer }: KeptExchange) {
    const { box, clock } = this.#settings;
    const sealed = sealBodies({ request: withoutKeys(request), answer: withoutKeys(answer) }, box);
    return { id: requestId, sealed, created_at: unixSeconds(clock) };
  }
}

function withoutKeys(body: KeptBody | null): KeptBody | null {
  return body === null || body.text === null ? body : { ...body, text: redactText(body.text) };
}
