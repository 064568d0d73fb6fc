// Finds out whether a key that was refused in somebody's call works: by a cheap call of the gateway's own, of which no
// caller chose a word. Keys that it takes out, or that several accounts' refusals did, are kept in the store: every process
// does without them, also after a restart.
import type { LiveCatalogue } from '../catalogue/live-catalogue.ts';
import type { UpstreamClient } from '../providers/call-upstream.ts';
import { findProvider } from '../providers/registry.ts';
import { UpstreamError } from '../providers/upstream-error.ts';
import type { Router } from '../routing/candidates.ts';
import { type ChannelKey, PROBE_PAUSE_MS } from '../routing/channel-key.ts';
import type { Channel } from '../routing/channel.ts';
import type { Candidate, KeyWatcher } from '../routing/route.ts';
import type { Clock } from '../shared/clock.ts';
import { type KeyStateRow, listKeyStates, putKeyState } from '../store/queries/channel-key-states.ts';
import type { Store } from '../store/store.ts';
import { Cancellation } from '../providers/cancellation.ts';
import { failureFacts } from './failure-facts.ts';
import { type KeyTest, type KeyTestResult, testKey } from './test-channel.ts';

export interface KeyWatchSettings {
  store: Store;
  client: UpstreamClient;
  router: Router;
  catalogue: LiveCatalogue;
  clock: Clock;
  /** The router's own. */
  steadyClock: Clock;
  onError(error: unknown): void;
  intervalMs?: number;
}

const INTERVAL_MS = 2_000;
const PROBE_MS = 15_000;
/** At once, in this process. */
const MOST_PROBES = 4;
/** A key is looked at again shortly before it would be used again. */
const BEFORE_END_MS = 5_000;

export class KeyWatch implements KeyWatcher {
  readonly #settings: KeyWatchSettings;
  readonly #probing = new Set<ChannelKey>();
  /** Suspected while they could not be probed. */
  readonly #waiting = new Map<ChannelKey, Channel>();
  /** Versions of rows as this process knows them. */
  readonly #versions = new Map<ChannelKey, number>();
  readonly #calls = new Set<Cancellation>();
  readonly #work = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  #isStopping = false;

  constructor(settings: KeyWatchSettings) {
    this.#settings = settings;
  }

  /** What the store knows counts from the first request on. */
  async start(): Promise<void> {
    this.#settings.router.watcher = this;
    await this.#follow().catch(this.#settings.onError);
    const round = (): void => this.#run(this.#round());
    this.#timer = setInterval(round, this.#settings.intervalMs ?? INTERVAL_MS).unref();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#timer);
    for (const cancellation of this.#calls) cancellation.cancel(stopping());
    await Promise.all(this.#work);
  }

  suspected(channel: Channel, key: ChannelKey): void {
    if (this.#isStopping || this.#probing.has(key)) return;
    const { lastProbe } = key;
    const isTooSoon = lastProbe !== undefined && this.#now() - lastProbe.at < PROBE_PAUSE_MS;
    if (isTooSoon || this.#probing.size >= MOST_PROBES) this.#waiting.set(key, channel);
    else this.#run(this.#probe(channel, key));
  }

  takenOut(channel: Channel, key: ChannelKey): void {
    this.#run(this.#keep(channel, key));
  }

  /** An operator's test was answered. */
  works(channel: Channel, key: ChannelKey): void {
    key.lastProbe = { at: this.#now(), ok: true, message: 'A test by an operator was answered.' };
    const wasOut = key.out !== undefined;
    key.bringBack();
    if (wasOut) this.#run(this.#keep(channel, key));
  }

  #now(): number {
    return this.#settings.steadyClock.now();
  }

  #run(work: Promise<void>): void {
    const done = work.catch(this.#settings.onError).finally(() => this.#work.delete(done));
    this.#work.add(done);
  }

  async #round(): Promise<void> {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const [key, channel] of waiting) this.suspected(channel, key);
    for (const [channel, key] of this.#keys()) {
      const left = (key.out?.until ?? 0) - this.#now();
      if (left > 0 && left < BEFORE_END_MS) this.suspected(channel, key);
    }
    await this.#follow();
  }

  #keys(): [Channel, ChannelKey][] {
    const { router, catalogue } = this.#settings;
    return router
      .channels(catalogue.current)
      .flatMap((channel) => channel.keys.map((key): [Channel, ChannelKey] => [channel, key]));
  }

  async #probe(channel: Channel, key: ChannelKey): Promise<void> {
    const provider = findProvider(channel.facts.provider);
    const proven = key.provenModel !== undefined && channel.facts.models.has(key.provenModel);
    const model = proven ? key.provenModel : channel.facts.models.keys().next().value;
    if (provider === undefined || model === undefined) return;
    this.#probing.add(key);
    try {
      const { look } = provider;
      let result = look === undefined ? undefined : await this.#ask({ channel, key }, { provider, model, test: look });
      // A list that is answered proves little: some give it to everybody, and to accounts that cannot pay.
      if (result === undefined || !refusesKey(result)) result = await this.#ask({ channel, key }, { provider, model });
      if (this.#isStopping) return;
      const { ok, failure, message } = result;
      const isRefused = refusesKey(result);
      const now = this.#now();
      key.lastProbe = { at: now, ok: ok ? true : isRefused ? false : null, message };
      // A call that is refused for another reason, or limited, got past the check of the key.
      const isPassed = failure?.errorClass === 'limited' || failure?.facts.status === 400;
      if (ok || (isPassed && !isRefused && !key.isOut(now))) key.bringBack();
      if (isRefused && failure !== undefined)
        key.takeOut(now, `${failureFacts(failure, { channel, key }).message} A call of the gateway's own was refused.`);
    } finally {
      this.#probing.delete(key);
    }
    await this.#keep(channel, key);
  }

  async #ask(candidate: Candidate, test: KeyTest): Promise<KeyTestResult> {
    const { client, catalogue } = this.#settings;
    const cancellation = new Cancellation();
    cancellation.limit(PROBE_MS);
    this.#calls.add(cancellation);
    if (this.#isStopping) cancellation.cancel(stopping());
    try {
      return await testKey({ client, catalogue: catalogue.current }, candidate, { ...test, cancellation });
    } finally {
      this.#calls.delete(cancellation);
    }
  }

  async #keep(channel: Channel, key: ChannelKey): Promise<void> {
    const { out, lastProbe } = key;
    const row = {
      channel_id: channel.facts.id,
      key_id: key.id,
      out_since: this.#seconds(out?.since),
      out_until: this.#seconds(out?.until),
      reason: out?.reason ?? null,
      probe_at: this.#seconds(lastProbe?.at),
      probe_ok: lastProbe === undefined || lastProbe.ok === null ? null : lastProbe.ok ? 1 : 0,
      probe_message: lastProbe?.message ?? null,
    } as const;
    const { store, clock } = this.#settings;
    this.#versions.set(key, await putKeyState(store, row, Math.floor(clock.now() / 1000)));
  }

  /** What other processes found out. */
  async #follow(): Promise<void> {
    const rows = await listKeyStates(this.#settings.store.reads);
    const byKey = new Map(rows.map((row) => [`${row.channel_id} ${row.key_id}`, row]));
    const keys = this.#keys();
    for (const [channel, key] of keys) {
      const row = byKey.get(`${channel.facts.id} ${key.id}`);
      if (row !== undefined && row.version > (this.#versions.get(key) ?? 0)) this.#take(key, row);
    }
    const known = new Set(keys.map(([, key]) => key));
    for (const key of this.#versions.keys()) if (!known.has(key)) this.#versions.delete(key);
  }

  #take(key: ChannelKey, row: KeyStateRow): void {
    this.#versions.set(key, row.version);
    const [since, until, probedAt] = [row.out_since, row.out_until, row.probe_at].map((at) => this.#steady(at));
    if (probedAt !== undefined) {
      const ok = row.probe_ok === null ? null : row.probe_ok === 1;
      key.lastProbe = { at: probedAt, ok, message: row.probe_message ?? '' };
    }
    if (since !== undefined && until !== undefined && until > this.#now())
      key.out = { since, until, reason: row.reason ?? '' };
    else key.bringBack();
  }

  /** Unix seconds of a time of the steady clock. */
  #seconds(at: number | undefined): number | null {
    const { clock, steadyClock } = this.#settings;
    return at === undefined ? null : Math.floor((at - steadyClock.now() + clock.now()) / 1000);
  }

  #steady(seconds: number | null): number | undefined {
    const { clock, steadyClock } = this.#settings;
    return seconds === null ? undefined : seconds * 1000 - clock.now() + steadyClock.now();
  }
}

function stopping(): UpstreamError {
  return new UpstreamError('aborted', 'the gateway is stopping');
}

function refusesKey({ failure }: KeyTestResult): boolean {
  return failure?.errorClass === 'unauthorised' && failure.facts.about !== 'model';
}
