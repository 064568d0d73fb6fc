// Evaluates the rules of alerts, round after round. One process of all has the duty, for a short time that it renews; when it
// dies, another takes over. Channels that are down are called now and then, so that their alert ends also without traffic.
import { alertRuleName, type AlertRuleName } from '#contract/alert-rules.ts';
import type { Clock } from '../shared/clock.ts';
import { Rounds } from '../shared/rounds.ts';
import { within } from '../shared/wait.ts';
import { isDutyTaken, leaveDuty, takeDuty } from '../store/queries/alert-duty.ts';
import type { AlertRow } from '../store/queries/alerts.ts';
import type { Store } from '../store/store.ts';
import { evaluateRule } from './evaluate-rule.ts';
import { restAfter } from './rest-after.ts';
import { readRuleSettings } from './rule-settings.ts';
import { rules } from './rules/rules.ts';

export interface AlertWatchSettings {
  store: Store;
  clock: Clock;
  /** This process. */
  owner: string;
  currency: string;
  withSandbox: boolean;
  /** One cheap call to a channel that is down; what it finds out is written down by it. */
  probe(channelId: string): Promise<void>;
  /** There is something to send. */
  onDelivery(): void;
  onError(error: unknown, what: string): void;
  roundMs?: number;
}

/** The shortest time between two evaluations of a rule. */
const LEAST_SECONDS = 5;
const ROUND_MS = 1000 * LEAST_SECONDS;
const DUTY_SECONDS = 20;
/** Renewed long before its end. */
const RENEW_MS = 8_000;
const PROBE_MS = 20_000;
const MOST_PROBES = 4;
const STOP_MS = 2_000;
/** Times of writes that are looked at. */
const WRITES = 3;

export class AlertWatch {
  readonly #settings: AlertWatchSettings;
  readonly #rounds = new Rounds(() => this.#round());
  readonly #dueAt = new Map<AlertRuleName, number>();
  readonly #calmSince = new Map<string, number>();
  readonly #probing = new Map<string, Promise<void>>();
  readonly #probedAt = new Map<string, number>();
  #writeTimes: number[] = [];
  #hasDuty = false;
  #renewAt = 0;
  #isStopped = false;

  constructor(settings: AlertWatchSettings) {
    this.#settings = settings;
  }

  start(): void {
    this.#rounds.start(Math.min(1_000, this.#roundMs));
  }

  /** Rules were changed: all are evaluated soon. */
  wake(): void {
    this.#dueAt.clear();
    this.#rounds.wake();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#rounds.stop();
    await within(STOP_MS, Promise.all(this.#probing.values()));
    if (this.#hasDuty) await leaveDuty(this.#settings.store, { owner: this.#settings.owner });
  }

  get #roundMs(): number {
    return this.#settings.roundMs ?? ROUND_MS;
  }

  async #round(): Promise<number> {
    const { store, onError } = this.#settings;
    try {
      await this.#renew();
      if (!this.#hasDuty) return this.#roundMs;
      const settings = await readRuleSettings(store.reads);
      for (const rule of alertRuleName.options) {
        const own = settings.get(rule);
        if (own !== undefined && !this.#isStopped) await this.#evaluate(rule, own);
      }
    } catch (error) {
      onError(error, 'the rules of alerts could not be evaluated');
    }
    return this.#roundMs;
  }

  /** How long the write takes is what store_slow looks at. */
  async #renew(): Promise<void> {
    const { store, owner, clock } = this.#settings;
    if (this.#hasDuty && clock.now() < this.#renewAt) return;
    this.#hasDuty = false; // until it is known
    const now = await store.now();
    if (await isDutyTaken(store.reads, { owner, now })) return;
    const startedAt = performance.now();
    this.#hasDuty = await takeDuty(store, { owner, now, seconds: DUTY_SECONDS });
    this.#writeTimes = [...this.#writeTimes, performance.now() - startedAt].slice(-WRITES);
    this.#renewAt = clock.now() + Math.min(RENEW_MS, 2 * this.#roundMs);
  }

  /** A rule that fails leaves its alerts as they are, and the other rules alone. */
  async #evaluate(rule: AlertRuleName, settings: { enabled: boolean; thresholds: Record<string, number> }) {
    const { store, clock, currency, withSandbox, onDelivery, onError } = this.#settings;
    const now = clock.now();
    if (now < (this.#dueAt.get(rule) ?? 0)) return;
    const surroundings = { currency, withSandbox, writeTimes: this.#writeTimes };
    const startedAt = performance.now();
    try {
      const of = { rule, settings, now, calmSince: this.#calmSince, surroundings };
      const { isSent, open } = await evaluateRule(store, of);
      if (isSent) onDelivery();
      if (rule === 'channel_down') this.#probe(open);
    } catch (error) {
      onError(error, `the alert rule ${rule} could not be evaluated`);
    }
    const every = this.#roundMs * (rules[rule].everySeconds / LEAST_SECONDS);
    const rest = restAfter(performance.now() - startedAt, every);
    this.#dueAt.set(rule, now + Math.max(every - this.#roundMs / 2, rest));
  }

  #probe(open: readonly AlertRow[]): void {
    const { clock, probe, onError } = this.#settings;
    const subjects = new Set(open.map(({ subject }) => subject));
    for (const subject of this.#probedAt.keys()) if (!subjects.has(subject)) this.#probedAt.delete(subject);
    for (const subject of subjects) {
      if (this.#probing.size >= MOST_PROBES) return;
      const last = this.#probedAt.get(subject) ?? 0;
      if (this.#probing.has(subject) || clock.now() - last < Math.min(PROBE_MS, 4 * this.#roundMs)) continue;
      this.#probedAt.set(subject, clock.now());
      const work = probe(subject)
        .catch((error: unknown) => onError(error, 'a channel that is down could not be called'))
        .finally(() => this.#probing.delete(subject));
      this.#probing.set(subject, work);
    }
  }
}
