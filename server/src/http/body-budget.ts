// Bounds the memory that large bodies take together. Who does not fit waits in line, its body still in the socket, and no
// token takes more than half of it, however slowly its bodies come.
import { GatewayError } from '../errors/gateway-error.ts';
import type { Release } from '../shared/reserve-memory.ts';

/** A request, or a line of a batch. */
export interface Holder {
  /** All of one owner have at most half of the budget together. */
  owner: string | undefined;
  /** What it has; counted by the budget alone. */
  held: number;
  /** Lets all that do not yield go first. */
  yields?: boolean;
}

interface Asked {
  bytes: number;
  lasting: number;
  holder: Holder;
}

interface Waiting extends Asked {
  admit(release: Release): void;
}

export class BodyBudget {
  readonly #maxBytes: number;
  /** Those that yield are behind all others. */
  readonly #waiting: Waiting[] = [];
  #used = 0;
  readonly #usedBy = new Map<string, number>();

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /**
   * Resolves, in order of arrival of those within their share, with the release of these bytes, which may be called
   * again. A body larger than the whole budget passes alone. Who has some already does not wait: it gets more at once, or
   * is refused. Rejects with the signal's reason when that fires first.
   */
  acquire(
    bytes: number,
    { holder = { owner: undefined, held: 0 }, lasting = bytes, signal }: Partial<Asked> & { signal?: AbortSignal } = {},
  ): Promise<Release> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(reasonOf(signal));
      const asked = { bytes, lasting, holder };
      if (holder.held > 0) {
        // If it waited with what it has, two could wait for each other.
        if (this.#isWithinShare(asked) && this.#fits(asked)) resolve(this.#take(asked));
        else reject(tooMany());
        return;
      }
      const waiting: Waiting = {
        ...asked,
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
      this.#queue(waiting);
      this.#admit();
    });
  }

  #queue(waiting: Waiting): void {
    const at = waiting.holder.yields === true ? -1 : this.#waiting.findIndex(({ holder }) => holder.yields === true);
    if (at === -1) this.#waiting.push(waiting);
    else this.#waiting.splice(at, 0, waiting);
  }

  #admit(): void {
    for (;;) {
      // Those that yield have one share for all: none of them passes another.
      const at = this.#waiting.findIndex((one) => one.holder.yields === true || this.#isWithinShare(one));
      const next = this.#waiting[at];
      if (next === undefined || !this.#isWithinShare(next) || !this.#fits(next)) return;
      this.#waiting.splice(at, 1);
      next.admit(this.#take(next));
    }
  }

  #isWithinShare({ holder: { owner, held }, lasting }: Asked): boolean {
    const own = owner === undefined ? 0 : (this.#usedBy.get(owner) ?? 0);
    return own <= held || own + lasting <= this.#maxBytes / 2;
  }

  #fits({ bytes, holder: { held } }: Asked): boolean {
    return this.#used <= held || this.#used + bytes <= this.#maxBytes;
  }

  #count(holder: Holder, bytes: number): void {
    this.#used += bytes;
    holder.held += bytes;
    const { owner } = holder;
    if (owner === undefined) return;
    const own = (this.#usedBy.get(owner) ?? 0) + bytes;
    if (own === 0) this.#usedBy.delete(owner);
    else this.#usedBy.set(owner, own);
  }

  #take({ holder, bytes }: Asked): Release {
    let held = bytes;
    this.#count(holder, bytes);
    return (kept = 0) => {
      if (held <= kept) return;
      this.#count(holder, kept - held);
      held = kept;
      this.#admit();
    };
  }
}

export function tooMany(): GatewayError {
  return new GatewayError('overloaded', {
    message: 'Too many large bodies are on their way. Retry shortly.',
    retryAfter: 5,
  });
}

function reasonOf(signal: AbortSignal | undefined): Error {
  return signal?.reason instanceof GatewayError ? signal.reason : new GatewayError('client_gone');
}
