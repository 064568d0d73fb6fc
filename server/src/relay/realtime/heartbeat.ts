// Whether both sides of a session are still there: pings that must be answered, events that must come now and then, and a
// longest time.
import type { WebSocket } from '../../shared/runtime/websockets.ts';
import type { Pump } from './pump.ts';
import { MOST_SESSION_SECONDS } from './session-scope.ts';

interface Side {
  socket: WebSocket;
  pump: Pick<Pump, 'isBusy'>;
}

export interface HeartbeatOptions {
  sides: readonly Side[];
  idleMs: number;
  onIdle(): void;
  onTooLong(): void;
}

const PING_MS = 20_000;
/** Pings in a row without an answer. */
const MOST_UNANSWERED = 2;

export class Heartbeat {
  readonly #options: HeartbeatOptions;
  readonly #timer: NodeJS.Timeout;
  readonly #unanswered = new Map<Side, number>();
  readonly #startedAt = performance.now();
  #heardAt = this.#startedAt;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
    for (const side of options.sides) side.socket.on('pong', () => this.#unanswered.set(side, 0));
    this.#timer = setInterval(() => this.#look(), Math.min(PING_MS, options.idleMs));
  }

  /** An event came, from either side. */
  heard(): void {
    this.#heardAt = performance.now();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const now = performance.now();
    const { sides, idleMs, onIdle, onTooLong } = this.#options;
    if (now - this.#startedAt > MOST_SESSION_SECONDS * 1000) return onTooLong();
    if (now - this.#heardAt >= idleMs) return onIdle();
    for (const side of sides) {
      // While nothing is read from a side, its answers are not either.
      const unanswered = side.pump.isBusy ? 0 : (this.#unanswered.get(side) ?? 0);
      if (unanswered >= MOST_UNANSWERED) side.socket.terminate();
      else if (side.socket.readyState === side.socket.OPEN) side.socket.ping();
      this.#unanswered.set(side, unanswered + 1);
    }
  }
}
