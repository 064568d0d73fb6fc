// One request that is the first with its key: gathers its answer, and keeps it or frees the key.
import type { SecretBox } from '../../shared/secret-box.ts';
import { addPiece, forgetClaim, keepAnswer, type MadeTask, markDone } from '../../store/queries/idempotency.ts';
import type { Store, Transaction } from '../../store/store.ts';

/** What stands before the body of an answer. */
export interface AnswerHead {
  /** In one piece, or as it came: to its end, or until its connection was closed in the middle. */
  form: 'whole' | 'stream' | 'broken';
  /** Of a stream that is not one of events. */
  contentType?: string | undefined;
  headers: Record<string, string>;
  /** The request that got it first. */
  requestId: string;
}

export interface ClaimDependencies {
  store: Store;
  box: SecretBox;
  scope: string;
  key: string;
  attempt: string;
  /** The task that a try before this one has made: it is the answer, and no other is made. */
  made: MadeTask | undefined;
  /** Called once, when the key is kept or free. */
  onEnd(): void;
}

const PIECE_BYTES = 256 * 1024;

export class Claim {
  readonly #dependencies: ClaimDependencies;
  #gathered: Buffer[] = [];
  #bytes = 0;
  #pieces = 0;
  /** Pieces are written one after another; a failure is reported at the end. */
  #writing: Promise<void> = Promise.resolve();
  #ended = false;

  constructor(dependencies: ClaimDependencies) {
    this.#dependencies = dependencies;
  }

  get made(): MadeTask | undefined {
    return this.#dependencies.made;
  }

  /** A part of the answer's body; large answers are written as they come. */
  add(bytes: Uint8Array): void {
    this.#gathered.push(Buffer.from(bytes)); // what was sent may be overwritten later
    this.#bytes += bytes.length;
    if (this.#bytes >= PIECE_BYTES) this.#flush();
  }

  /** Everybody who asks again gets this answer, once this resolves. */
  async keep(status: number, head: AnswerHead): Promise<void> {
    try {
      if (this.#bytes > 0) this.#flush();
      await this.#writing;
      const { store, box, scope, key, attempt } = this.#dependencies;
      await keepAnswer(store, { scope, key, attempt, status, head: box.seal(JSON.stringify(head)) });
    } finally {
      this.#end();
    }
  }

  /** Asked again, the request is answered again. */
  async forget(): Promise<void> {
    try {
      await this.#writing.catch(() => {});
      await forgetClaim(this.#dependencies.store, this.#dependencies);
    } finally {
      this.#end();
    }
  }

  /** In the transaction that carries the request out. */
  markDone(transaction: Transaction): Promise<void> {
    return markDone(transaction, this.#dependencies);
  }

  #flush(): void {
    const { store, box, attempt } = this.#dependencies;
    const position = this.#pieces++;
    const sealed = box.sealBytes(Buffer.concat(this.#gathered));
    this.#gathered = [];
    this.#bytes = 0;
    this.#writing = this.#writing.then(() => addPiece(store, attempt, position, sealed));
    this.#writing.catch(() => {});
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#dependencies.onEnd();
  }
}
