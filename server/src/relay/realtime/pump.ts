// Events of one side, handled one after another in their order. While one waits for money or for the other side to take what
// was sent, nothing more is read: what waits here is what had arrived by then.
import type { WebSocket } from '../../shared/runtime/websockets.ts';

type Handle = (bytes: Buffer, isBinary: boolean) => void | Promise<void>;

export class Pump {
  readonly #source: WebSocket;
  readonly #handle: Handle;
  readonly #waiting: [bytes: Buffer, isBinary: boolean][] = [];
  #running: Promise<void> | undefined;
  #isStopped = false;

  constructor(source: WebSocket, handle: Handle) {
    this.#source = source;
    this.#handle = handle;
    source.on('message', this.#onMessage);
  }

  /** It waits for something. */
  get isBusy(): boolean {
    return this.#running !== undefined;
  }

  /** Resolves when everything that has come is handled. */
  async idle(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  /** Nothing more is handled. */
  stop(): void {
    this.#isStopped = true;
    this.#waiting.length = 0;
    this.#source.off('message', this.#onMessage);
    this.#source.resume(); // so that its close is heard
  }

  readonly #onMessage = (bytes: Buffer, isBinary: boolean): void => {
    if (this.#isStopped) return;
    if (this.#running !== undefined) return void this.#waiting.push([bytes, isBinary]);
    const handled = this.#handle(bytes, isBinary);
    if (handled === undefined) return;
    this.#source.pause();
    this.#running = this.#goOn(handled);
  };

  async #goOn(handled: Promise<void>): Promise<void> {
    await handled;
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift())
      await this.#handle(next[0], next[1]);
    this.#running = undefined;
    if (!this.#isStopped) this.#source.resume();
  }
}
