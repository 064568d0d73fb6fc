// Places in the life of a call at which a gateway of the fault tests dies, as if by kill -9. They are put around the parts
// from outside: the gateway that people run knows nothing of them.
import { RawReply } from '../../../server/src/http/replies/client-reply.ts';
import { UpstreamClient } from '../../../server/src/providers/call-upstream.ts';
import type { LedgerOperation, LedgerResult } from '../../../server/src/store/ledger/operations.ts';
import type { Store } from '../../../server/src/store/store.ts';

export const ABORT_POINTS = [
  'after-hold',
  'before-upstream',
  'after-first-byte',
  'before-settle',
  'after-settle',
  'before-end',
  'after-upstream-id',
  'after-upstream-id-stored',
  'before-task-end',
  'after-task-end',
] as const;
export type AbortPoint = (typeof ABORT_POINTS)[number];

export class AbortPoints {
  readonly #point: AbortPoint;
  readonly #lastingMs: number;
  #left: number;
  #firstAt = 0;

  /** Dies when the point is reached for the given time, and not sooner than so long after the first. */
  constructor(point: AbortPoint, time: number, lastingMs = 0) {
    this.#point = point;
    this.#left = time;
    this.#lastingMs = lastingMs;
  }

  watchStore(store: Store): Store {
    const reach = (point: AbortPoint): void => this.#reach(point);
    return {
      ...store,
      async commit<O extends LedgerOperation>(operation: O): Promise<LedgerResult<O>> {
        const [before, after] = pointsOf(operation);
        if (before !== undefined) reach(before);
        const result = await store.commit(operation);
        if (after !== undefined) reach(after);
        return result;
      },
    };
  }

  watchCalls(): void {
    const reach = (point: AbortPoint): void => this.#reach(point);
    const { call } = UpstreamClient.prototype;
    UpstreamClient.prototype.call = function (...args) {
      reach('before-upstream');
      return call.apply(this, args);
    };
    const { write, end, sendWhole } = RawReply.prototype;
    RawReply.prototype.write = function (bytes) {
      const taken = write.call(this, bytes);
      setImmediate(() => reach('after-first-byte')); // so that they are on their way
      return taken;
    };
    RawReply.prototype.end = function (bytes) {
      reach('before-end');
      end.call(this, bytes);
    };
    RawReply.prototype.sendWhole = function (...args) {
      reach('before-end');
      sendWhole.apply(this, args);
    };
  }

  #reach(point: AbortPoint): void {
    if (point !== this.#point) return;
    const now = performance.now();
    this.#firstAt ||= now;
    if (--this.#left <= 0 && now - this.#firstAt >= this.#lastingMs) process.kill(process.pid, 'SIGKILL');
  }
}

function pointsOf(operation: LedgerOperation): [AbortPoint | undefined, AbortPoint | undefined] {
  if (operation.kind === 'hold') return [undefined, 'after-hold'];
  if (operation.kind === 'move' && operation.row.state === 'SUBMITTED')
    return ['after-upstream-id', 'after-upstream-id-stored'];
  if (operation.kind !== 'end') return [undefined, undefined];
  if (operation.task !== undefined) return ['before-task-end', 'after-task-end'];
  return operation.charge === null ? [undefined, undefined] : ['before-settle', 'after-settle'];
}
