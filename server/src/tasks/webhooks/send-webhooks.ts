// Delivers word of finished tasks: signed, through the guarded client, again and again with growing pauses until somebody
// answers with success or the attempts are used up. Each attempt is kept in the delivery's log. Accounts take turns, so that
// one with many slow receivers does not delay the others.
import { AddressRefused, discardBody } from '../../providers/guarded/guarded-client.ts';
import { UpstreamError } from '../../providers/upstream-error.ts';
import { unixSeconds } from '../../shared/clock.ts';
import { pauseUntil, Rounds } from '../../shared/rounds.ts';
import { within } from '../../shared/wait.ts';
import {
  claimDeliveries,
  type DeliveryRow,
  dueAccounts,
  findWebhook,
  firstAttemptAt,
  updateDelivery,
} from '../../store/queries/webhooks.ts';
import type { TaskDependencies } from '../dependencies.ts';
import { shareSlots, SLOTS } from './share-slots.ts';
import { webhookPause } from './webhook-pause.ts';
import { signWebhook } from './webhook-signature.ts';

interface AttemptLog {
  at: number;
  status: number | null;
  error: string | null;
  ms: number;
}

/** While something is due, and at the latest: other processes may have died with what they had to send. */
const [ROUND_MS, REST_MS] = [250, 1_000];
const LIMITS = { connectMs: 10_000, firstByteMs: 15_000, idleMs: 15_000 };
/** Longer than an attempt can take: only then may another process try. */
const CLAIM_MS = 60_000;
const STOP_MS = 2_000;

export class WebhookSender {
  readonly #dependencies: TaskDependencies;
  readonly #running = new Set<Promise<void>>();
  /** Under way, by account. */
  readonly #ofAccount = new Map<string, number>();
  /** The account that was served last: the next round begins behind it. */
  #lastAccount = '';
  readonly #stopping = new AbortController();
  readonly #rounds = new Rounds(() => this.#claim());

  constructor(dependencies: TaskDependencies) {
    this.#dependencies = dependencies;
  }

  start(): void {
    this.#rounds.start(ROUND_MS);
  }

  /** There may be something to send. */
  wake(): void {
    this.#rounds.wake();
  }

  async stop(): Promise<void> {
    await this.#rounds.stop();
    this.#stopping.abort();
    await within(STOP_MS, Promise.all(this.#running));
  }

  /** Says when to claim again. */
  async #claim(): Promise<number> {
    const { store, clock, onError } = this.#dependencies;
    if (this.#running.size >= SLOTS) return ROUND_MS;
    try {
      const dueAt = clock.now();
      const first = (await firstAttemptAt(store.reads)) ?? Infinity;
      if (first > dueAt) return pauseUntil(first, dueAt, { least: ROUND_MS, most: REST_MS });
      const accounts = await dueAccounts(store.reads, { dueAt, after: this.#lastAccount, limit: SLOTS });
      const due = accounts.map((id) => ({ id, running: this.#ofAccount.get(id) ?? 0 }));
      for (const [accountId, limit] of shareSlots(due, this.#running.size)) {
        this.#lastAccount = accountId;
        const claimed = await claimDeliveries(store, { accountId, dueAt, until: dueAt + CLAIM_MS, limit });
        for (const delivery of claimed) this.#begin(delivery);
      }
    } catch (error) {
      onError(error, 'due webhooks cannot be claimed');
    }
    return ROUND_MS;
  }

  #begin(delivery: DeliveryRow): void {
    const { account_id: account } = delivery;
    this.#ofAccount.set(account, (this.#ofAccount.get(account) ?? 0) + 1);
    const work = this.#deliver(delivery)
      .catch((error: unknown) => this.#dependencies.onError(error, `the webhook ${delivery.id} could not be sent`))
      .finally(() => {
        this.#running.delete(work);
        const left = (this.#ofAccount.get(account) ?? 1) - 1;
        if (left === 0) this.#ofAccount.delete(account);
        else this.#ofAccount.set(account, left);
      });
    this.#running.add(work);
  }

  async #deliver(delivery: DeliveryRow): Promise<void> {
    const { store, clock, metrics } = this.#dependencies;
    const attempt = await this.#attempt(delivery);
    if (this.#stopping.signal.aborted) return; // not the receiver's fault: the next process sends it
    const attempts = delivery.attempts + 1;
    const isDelivered = attempt.status !== null && attempt.status >= 200 && attempt.status < 300;
    const pause = webhookPause(attempts);
    const isOver = isDelivered || pause === undefined;
    metrics.webhookSent(isDelivered ? 'delivered' : 'failed');
    await updateDelivery(store, delivery.id, {
      status: isDelivered ? 'delivered' : isOver ? 'failed' : 'pending',
      attempts,
      log: JSON.stringify([...(JSON.parse(delivery.log) as AttemptLog[]), attempt]),
      next_attempt_at: clock.now() + (pause ?? 0),
      completed_at: isOver ? unixSeconds(clock) : null,
    });
  }

  async #attempt({ id, account_id, url, payload }: DeliveryRow): Promise<AttemptLog> {
    const { store, clock, secretBox, guarded } = this.#dependencies;
    const at = unixSeconds(clock);
    const startedAt = performance.now();
    const reported = (status: number | null, error: string | null): AttemptLog => ({
      at,
      status,
      error,
      ms: Math.round(performance.now() - startedAt),
    });
    const webhook = await findWebhook(store.reads, account_id);
    if (webhook === undefined) return reported(null, 'the account has no webhook secret any more');
    const signature = signWebhook(secretBox.open(webhook.secret), { id, at, payload });
    try {
      const { status, body } = await guarded.call({
        url,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'user-agent': 'Tollgate-Webhooks/1',
          'webhook-id': id,
          'webhook-timestamp': String(at),
          'webhook-signature': signature,
        },
        body: Buffer.from(payload),
        redirects: 0,
        limits: LIMITS,
        signal: this.#stopping.signal,
      });
      discardBody(body);
      return reported(status, status >= 200 && status < 300 ? null : `answered with ${status}`);
    } catch (error) {
      if (error instanceof AddressRefused) return reported(null, 'the address may not be called');
      if (error instanceof UpstreamError) return reported(null, error.errorClass);
      throw error;
    }
  }
}
