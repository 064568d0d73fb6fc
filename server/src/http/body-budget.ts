// Bounds the memory that large bodies take together. Who does not fit waits in line, its body still in the socket, and no
// token takes more than half of it, however slowly its bodies come.
import { GatewayError } from '../errors/gateway-error.ts';

/** Gives all of it back, or all but this much. */
export type Release = (kept?: number) => void;

interface Waiting {
  bytes: number;
  owner: string | undefined;
  admit(release: Release): void;
}

export class BodyBudget {
  readonly #maxBytes: number;
  readonly #waiting: Waiting[] = [];
  #used = 0;
  readonly #usedBy = new Map<string, number>();

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /**
   * Resolves, in order of arrival of those within their share, with the release of these bytes, which may be called
   * again. A body larger than the whole budget passes alone. Rejects with the signal's reason when that fires first.
   */
  acquire(bytes: number, signal?: AbortSignal, owner?: string): Promise<Release> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(reasonOf(signal));
      const waiting: Waiting = {
        bytes,
        owner,
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
      const at = this.#waiting.findIndex((one) => this.#isWithinShare(one));
      const next = this.#waiting[at];
      if (next === undefined || (this.#used > 0 && this.#used + next.bytes > this.#maxBytes)) return;
      this.#waiting.splice(at, 1);
      this.#count(next, next.bytes);
      next.admit(this.#releaseOf(next));
    }
  }

  #isWithinShare({ owner, bytes }: Waiting): boolean {
    const own = owner === undefined ? 0 : (this.#usedBy.get(owner) ?? 0);
    return own === 0 || own + bytes <= this.#maxBytes / 2;
  }

  #count({ owner }: Waiting, bytes: number): void {
    this.#used += bytes;
    if (owner === undefined) return;
    const own = (this.#usedBy.get(owner) ?? 0) + bytes;
    if (own === 0) this.#usedBy.delete(owner);
    else this.#usedBy.set(owner, own);
  }

  #releaseOf(taken: Waiting): Release {
    let held = taken.bytes;
    return (kept = 0) => {
      if (held <= kept) return;
      this.#count(taken, kept - held);
      held = kept;
      this.#admit();
    };
  }
}

function reasonOf(signal: AbortSignal | undefined): Error {
  return signal?.reason instanceof GatewayError ? signal.reason : new GatewayError('client_gone');
}
