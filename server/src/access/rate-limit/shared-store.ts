// Rate windows that are shared as long as their store (Redis, or the primary of several workers) answers, and of this
// process alone when not. What is admitted there is counted here too, so that a process on its own begins with what it knows.
import type { InProcessStore } from './in-process-store.ts';
import type { RateEnd, RateStore, RateVerdict, RateRequest, RemoteRateStore } from './rate-store.ts';

export interface SharedStoreDependencies {
  remote: RemoteRateStore;
  local: InProcessStore;
  /** Called for each change. */
  onAway(away: boolean, cause: unknown): void;
  probeMs?: number;
}

const PROBE_MS = 500;

export class SharedStore implements RateStore {
  readonly #dependencies: SharedStoreDependencies;
  readonly #probe: NodeJS.Timeout;
  /** Requests that were admitted there and have not ended. */
  readonly #admitted = new Set<string>();
  #away = true;
  #probing = false;

  constructor(dependencies: SharedStoreDependencies) {
    this.#dependencies = dependencies;
    this.#probe = setInterval(() => void this.#look(), dependencies.probeMs ?? PROBE_MS).unref();
  }

  /** Nobody answers: limits are those of this process. */
  get isAway(): boolean {
    return this.#away;
  }

  /** Resolves when the first look is over, whatever it saw. */
  async start(timeoutMs: number): Promise<void> {
    const end = performance.now() + timeoutMs;
    for (;;) {
      await this.#look();
      if (!this.#away || performance.now() >= end) return;
      await new Promise((resolve) => {
        setTimeout(resolve, 20);
      });
    }
  }

  admit(request: RateRequest): RateVerdict | Promise<RateVerdict> {
    const { remote, local } = this.#dependencies;
    if (this.#away) return local.admit(request);
    return remote.admit(request).then(
      (verdict) => {
        if (verdict.blockedBy !== undefined) return verdict;
        local.note(request);
        this.#admitted.add(request.requestId);
        return verdict;
      },
      (error: unknown) => {
        this.#becomes(true, error);
        return local.admit(request);
      },
    );
  }

  add(request: RateRequest, output: number): void {
    this.#dependencies.local.add(request, output);
    if (!this.#admitted.has(request.requestId)) return;
    this.#dependencies.remote.add(request, output).catch((error: unknown) => this.#becomes(true, error));
  }

  end(end: RateEnd): void {
    this.#dependencies.local.end(end);
    if (!this.#admitted.delete(end.request.requestId)) return;
    this.#dependencies.remote.end(end).catch((error: unknown) => this.#becomes(true, error));
  }

  close(): void {
    clearInterval(this.#probe);
    this.#dependencies.remote.close();
  }

  async #look(): Promise<void> {
    if (this.#probing) return;
    this.#probing = true;
    try {
      await this.#dependencies.remote.ping();
      this.#becomes(false, undefined);
    } catch (error) {
      this.#becomes(true, error);
    } finally {
      this.#probing = false;
    }
  }

  #becomes(away: boolean, cause: unknown): void {
    if (away === this.#away) return;
    this.#away = away;
    this.#dependencies.onAway(away, cause);
  }
}
