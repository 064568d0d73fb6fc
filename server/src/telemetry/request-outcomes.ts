// What became of the public requests that are under way: the line of the request log, kept until the request is over, for its
// line on standard output.
import type { CountedRequest } from './counted-events.ts';

/** A line of the request log, as far as a log line names it. */
export interface RequestOutcome extends CountedRequest {
  id: string;
  /** Why the gateway itself refused it. */
  reason?: string | null | undefined;
}

export interface NamedOutcome {
  model?: string;
  /** The channel's name. */
  channel?: string;
  error?: string;
  reason?: string;
}

export class RequestOutcomes {
  readonly #open = new Map<string, RequestOutcome | undefined>();
  readonly #channelName: (id: string) => string;

  constructor(channelName: (id: string) => string) {
    this.#channelName = channelName;
  }

  /** From here on its line is waited for, until it is taken. */
  open(requestId: string): void {
    this.#open.set(requestId, undefined);
  }

  /** Lines that nobody waits for, such as those of batches, are not kept. */
  ended(row: RequestOutcome): void {
    if (this.#open.has(row.id)) this.#open.set(row.id, row);
  }

  take(requestId: string): NamedOutcome | undefined {
    const row = this.#open.get(requestId);
    this.#open.delete(requestId);
    if (row === undefined) return undefined;
    const named: NamedOutcome = {};
    if (row.model !== null) named.model = row.model;
    if (row.channel_id !== null) named.channel = this.#channelName(row.channel_id);
    if (row.error_code === null) return named;
    named.error = row.error_code;
    const reason = row.reason ?? lastFailure(row.attempts);
    if (reason !== undefined) named.reason = reason;
    return named;
  }
}

/** How the last attempt at an upstream failed: timed-out, unreachable, limited and the like. */
function lastFailure(attempts: string): string | undefined {
  const last = (JSON.parse(attempts) as { error: string | null }[]).at(-1);
  return last?.error ?? undefined;
}
