// The sessions of this process: begun when both sides are there, drained at a stop, cut when the time for that is over.
import { IndexedSet } from '../../shared/runtime/indexed-set.ts';
import type { WebSocket } from '../../shared/runtime/websockets.ts';
import { Cancellation } from '../../providers/cancellation.ts';
import { NOTHING_USED, requestRow } from '../outcome.ts';
import type { RelayDependencies } from '../relay-request.ts';
import { type OpenedSession, openSession, type SessionCall } from './open-session.ts';
import { closeSocket } from './send-event.ts';
import { RealtimeSession, type SessionEnd } from './session.ts';

export interface RealtimeSettings {
  relay: RelayDependencies;
  /** Open at the same time, per token. */
  mostSessions: number;
  /** A session without any event for so long is closed. */
  idleMs: number;
  onError(error: unknown): void;
}

const SWITCHED = 101;

export class RealtimeSessions {
  readonly #settings: RealtimeSettings;
  readonly #sessions = new IndexedSet<RealtimeSession>();
  #onEmpty: (() => void) | undefined;
  #isDraining = false;

  constructor(settings: RealtimeSettings) {
    this.#settings = settings;
  }

  get open(): number {
    return this.#sessions.size;
  }

  /** Resolves when an upstream has taken it. Throws what the client is answered instead. */
  prepare(call: SessionCall): Promise<OpenedSession> {
    return openSession(this.#settings.relay, call, this.#settings.mostSessions);
  }

  /** The client is there too. `onEnded` is called when all of it is over. */
  begin(client: WebSocket, opened: OpenedSession, onEnded: (end: SessionEnd) => void): void {
    const { relay, idleMs, onError } = this.#settings;
    const cancellation = new Cancellation();
    relay.live.add(cancellation);
    const session = new RealtimeSession(client, {
      ...opened,
      upstream: opened.socket,
      idleMs,
      onError,
      onEnded: async (end) => {
        relay.live.delete(cancellation);
        await this.#ended(opened, end);
        this.#sessions.delete(session);
        if (this.#sessions.size === 0) this.#onEmpty?.();
        onEnded(end);
      },
    });
    this.#sessions.add(session);
    cancellation.follow(() => session.cut());
    if (this.#isDraining) session.drain();
  }

  /** The client left before it could get the error. */
  async abandon({ socket, responses, grant, route }: OpenedSession): Promise<void> {
    closeSocket(socket, 1001, '');
    grant?.end();
    route.finish();
    await responses.end('broken');
  }

  async #ended({ grant, route, facts }: OpenedSession, { by, code }: SessionEnd): Promise<void> {
    const { ledger, metrics } = this.#settings.relay;
    grant?.end();
    route.finish();
    const errorCode = by === 'upstream' && code === 1006 ? 'upstream_error' : null;
    const row = requestRow(facts, { ...NOTHING_USED, status: SWITCHED, errorCode });
    metrics.ended(row);
    await ledger.log(row).catch(() => undefined); // it has no money in it
  }

  /** Resolves when all are over. */
  async drain(): Promise<void> {
    this.#isDraining = true;
    for (const session of this.#sessions) session.drain();
    if (this.#sessions.size === 0) return;
    await new Promise<void>((resolve) => {
      this.#onEmpty = resolve;
    });
  }
}
