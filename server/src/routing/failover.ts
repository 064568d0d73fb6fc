// What a failed attempt means for the rest of the request, by the class of the failure alone.
import type { FailureClass } from '../errors/failure-class.ts';

/** What is known of a failure beside its class. */
export interface FailureFacts {
  status?: number | undefined;
  /** Whom a refusal is about, where the upstream says so. */
  about?: 'request' | 'model' | 'key' | undefined;
  /** No connection could be made, for any account. */
  cannotConnect?: boolean;
  /** For operators; without keys and addresses. */
  message?: string;
}

export interface FailureMeaning {
  /** `stop`: no other candidate would do better; `key`: another key of the channel may; `channel`: another channel may. */
  next: 'stop' | 'key' | 'channel';
  /** What it says about the health of who failed; of a key only once in a request. */
  blame: 'none' | 'key' | 'key-limit' | 'channel';
}

export const failureMeanings: Record<FailureClass, FailureMeaning> = {
  refused: { next: 'stop', blame: 'none' },
  unauthorised: { next: 'key', blame: 'key' },
  limited: { next: 'key', blame: 'key-limit' },
  overloaded: { next: 'channel', blame: 'channel' },
  'timed-out': { next: 'channel', blame: 'channel' },
  unreachable: { next: 'channel', blame: 'channel' },
  malformed: { next: 'channel', blame: 'channel' },
  aborted: { next: 'stop', blame: 'none' },
};
