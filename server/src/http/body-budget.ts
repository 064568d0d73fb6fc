// Bounds the memory that large bodies take together. Who does not fit waits in line, its body still in the socket.
import { GatewayError } from '../errors/gateway-error.ts';

interface Waiting {
  bytes: number;
  admit(release: () => void): void;
}

export class BodyBudget {
  readonly #maxBytes: number;
  readonly #waiting: Waiting[] = [];
  #used = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /**
   * Resolves, in order of arrival, with the release of these bytes, which may be called again. A body larger than the
   * whole budget passes alone. Rejects with the signal's reason when that fires first.
   */
  acquire(bytes: number, signal?: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(reasonOf(signal));
      const waiting: Waiting = {
        bytes,
        admit(release) {
          signal?.removeEventListener('abort', leave);
          resolve(release);
        },
      };
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(reasonOf(signal));
        this.#admit(); // it may have been the one that all others waited behind
      };
      signal?.addEventListener('abort', leave, { once: true });
      this.#waiting.push(waiting);
      this.#admit();
    });
  }

  #admit(): void {
    for (;;) {
      const [next] = this.#waiting;
      if (next === undefined || (this.#used > 0 && this.#used + next.bytes > this.#maxBytes)) return;
      this.#waiting.shift();
      this.#used += next.bytes;
      next.admit(this.#releaseOf(next.bytes));
    }
  }

  #releaseOf(bytes: number): () => void {
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.#used -= bytes;
      this.#admit();
    };
  }
}

function reasonOf(signal: AbortSignal | undefined): Error {
  return signal?.reason instanceof GatewayError ? signal.reason : new GatewayError('client_gone');
}
