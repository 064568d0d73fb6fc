// The responses of a session, each with money of its own: held before it can begin, settled once by its id when the upstream
// says that it is done, charged by our own count where it breaks off.
import type { RateGrant } from '../../access/rate-limit/rate-limiter.ts';
import { DEFAULT_MAX_OUTPUT } from '../../billing/estimate.ts';
import type { Model } from '../../catalogue/catalogue.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { readResponseUsage, type ResponseUsage, tokensSaid } from '../../protocols/realtime/index.ts';
import type { StreamCheckpoints } from '../checkpoints.ts';
import { asRecord, asText } from '../../protocols/json/json-value.ts';
import type { Added, ContextSize } from './context-size.ts';
import type { OwnCount, RealtimeBill } from './realtime-bill.ts';
import { ENDPOINT, type Ended, type Held, type SessionScope } from './session-scope.ts';
import { SpareHold } from './spare-hold.ts';

/** What is asked of one response. */
export interface Asked {
  maxOutputTokens: number | undefined;
  /** The limit is its own, not that of the session. */
  isOwnLimit: boolean;
  speaks: boolean;
}

interface Awaited {
  held: Held;
  grant: RateGrant | undefined;
  asked: Asked;
  before: Added;
  /** As the client named it: not unique. */
  eventId: string;
  /** The upstream began it, without being asked. */
  isUnasked: boolean;
}

interface Running extends Awaited {
  id: string;
  startedAt: number;
  firstByteMs: number | null;
  prompt: OwnCount['prompt'];
  text: number;
  audioMs: number;
  marks: StreamCheckpoints | undefined;
}

/** Asked for by the client and not over; none needs more. */
const MOST_ASKED = 16;
/** Begun by the upstream itself and not over; one that follows its rules has one. */
const MOST_UNASKED = 4;
/** What may be heard until a spare hold is too small. */
const HEADROOM_MS = 60_000;
const NO_REPORT: ResponseUsage = { usage: undefined, cached: { audio: 0, image: 0 }, isDoubtful: false };

export class Responses {
  readonly #scope: SessionScope;
  readonly #context: ContextSize;
  readonly #spare: SpareHold;
  /** Sent and not yet created, oldest first. */
  readonly #awaited = new Set<Awaited>();
  readonly #running = new Map<string, Running>();
  #admitted = 0;

  constructor(scope: SessionScope, context: ContextSize) {
    this.#scope = scope;
    this.#context = context;
    this.#spare = new SpareHold(scope);
  }

  /** Under way, or asked for. */
  get active(): number {
    return this.#running.size + this.#awaited.size;
  }

  get #asked(): number {
    let asked = this.#awaited.size;
    for (const { isUnasked } of this.#running.values()) if (!isUnasked) asked++;
    return asked;
  }

  get ids(): string[] {
    return [...this.#running.keys()];
  }

  /** Holds for the next response, whichever side begins it. Throws 402. */
  async prepare(asked: Asked, headroomMs = HEADROOM_MS): Promise<void> {
    await this.#ensure(asked, headroomMs);
  }

  /** The client asks for one. Throws what it is answered instead; what it asked may be sent when this resolves. */
  async ask(eventId: string, asked: Asked): Promise<void> {
    if (this.#asked >= MOST_ASKED)
      throw new GatewayError('rate_limit_exceeded', {
        message: `${MOST_ASKED} responses are waiting or under way. Wait for the end of one.`,
      });
    const grant = await this.#admit();
    try {
      const held = await this.#hold(asked);
      this.#awaited.add({ held, grant, asked, before: this.#context.added, eventId, isUnasked: false });
    } catch (error) {
      grant?.end();
      throw error;
    }
  }

  /** The upstream refused the client's event. Says whether that was one of these. */
  async refused(eventId: string): Promise<boolean> {
    const awaited = [...this.#awaited].find((one) => one.eventId === eventId);
    if (awaited === undefined) return false;
    this.#awaited.delete(awaited);
    awaited.grant?.end();
    await this.#spare.keep(awaited.held);
    return true;
  }

  /** It has begun. Returns why it must be cancelled, where it must. */
  async created(id: string, asked: Asked): Promise<GatewayError | undefined> {
    if (this.#running.has(id)) return undefined; // said twice
    const [first] = this.#awaited;
    if (first !== undefined) {
      this.#awaited.delete(first);
      this.#run(id, { ...first, asked: withLimit(first.asked, asked) });
      return undefined;
    }
    const before = this.#context.added;
    await this.#endUnasked(MOST_UNASKED - 1);
    try {
      const running = this.#run(id, {
        held: await this.#hold(asked),
        grant: undefined,
        asked,
        before,
        eventId: '',
        isUnasked: true,
      });
      running.grant = await this.#admit();
      return undefined;
    } catch (error) {
      if (error instanceof GatewayError) return error;
      throw error;
    }
  }

  /** The oldest that nobody asked for are over when others begin, and charged for what came of them. */
  async #endUnasked(most: number): Promise<void> {
    const unasked = [...this.#running.values()].filter(({ isUnasked }) => isUnasked);
    for (const { id } of unasked.slice(0, Math.max(0, unasked.length - most))) {
      const running = this.#take(id);
      if (running !== undefined) await this.#break(running, 'broken');
    }
  }

  /** Part of one has come: pieces of text, or the length of audio. */
  spoke(id: string, { text = 0, audioMs = 0 }: { text?: number; audioMs?: number }): void {
    const running = this.#running.get(id);
    if (running === undefined) return;
    running.text += text;
    running.audioMs += audioMs;
    running.firstByteMs ??= performance.now() - running.startedAt;
    running.marks?.spoke();
  }

  /** It is over. Settled when this resolves; one that was settled before is not again. */
  async done(id: string, response: unknown): Promise<void> {
    const running = this.#take(id);
    if (running === undefined) return;
    const fields = asRecord(response) ?? {};
    const status = asText(fields['status']);
    const report = readResponseUsage(fields['usage']);
    const own = countOf(running);
    const made = Math.max(own.text + own.audio, report.usage?.output ?? 0);
    const isNothing = report.usage?.input === 0 && made === 0;
    if (status === 'failed' && !running.held.bill.isDue(made))
      return this.#release(running, { status: 502, errorCode: 'upstream_error' });
    if (status === 'cancelled' && isNothing) return this.#release(running, { status: 200, errorCode: null });
    const used = running.held.bill.used(report, own, running.asked.maxOutputTokens);
    if (report.usage !== undefined) this.#context.report(running.before, report.usage);
    running.grant?.used(used.usage);
    const code = status === 'failed' ? 'upstream_error' : null;
    await this.#end(running, () => this.#scope.settle(this.#ended(running, { status: 200, errorCode: code }), used));
  }

  /** The session is over: what has begun is charged as far as it came. */
  async end(why: 'left' | 'broken'): Promise<void> {
    const ends: Promise<unknown>[] = [this.#spare.end()];
    for (const awaited of this.#awaited) ends.push(this.#break(this.#start('', awaited), why));
    this.#awaited.clear();
    for (const id of this.ids) {
      const running = this.#take(id);
      if (running !== undefined) ends.push(this.#break(running, why));
    }
    await Promise.allSettled(ends);
  }

  /** What was sent for a client that left is due, the prompt too (promise M-07); of an answer that broke off what came of it. */
  #break(running: Running, why: 'left' | 'broken'): Promise<void> {
    const own = countOf(running);
    const { bill } = running.held;
    const failure = new GatewayError(why === 'left' ? 'client_gone' : 'upstream_error');
    const end = { status: failure.status, errorCode: failure.code };
    if (!bill.isDue(why === 'left' ? Math.max(1, own.text + own.audio) : own.text + own.audio))
      return this.#release(running, end);
    const used = bill.used(NO_REPORT, own, undefined);
    running.grant?.used(used.usage);
    return this.#end(running, () => this.#scope.settle(this.#ended(running, end), used));
  }

  /** The spare hold, or another: the next response may be asked for and begin by itself at the same time. */
  async #hold(asked: Asked): Promise<Held> {
    for (;;) {
      await this.#ensure(asked, 0);
      const held = this.#spare.take();
      if (held !== undefined) return held;
      if (this.#spare.isOver) throw new GatewayError('client_gone');
    }
  }

  #run(id: string, awaited: Awaited): Running {
    const running = this.#start(id, awaited);
    const { checkpoints } = this.#scope.options.dependencies;
    running.marks = checkpoints.follow({
      output: () => Math.ceil(running.text + tokensSaid(running.audioMs)),
      saw: (output) => running.grant?.saw(output),
      row: () => {
        const own = countOf(running);
        if (!running.held.bill.isDue(own.text + own.audio)) return undefined;
        const used = running.held.bill.used(NO_REPORT, own, undefined);
        return this.#scope.row(this.#ended(running, { status: 200, errorCode: null }), used);
      },
    });
    this.#running.set(id, running);
    return running;
  }

  #start(id: string, awaited: Awaited): Running {
    const prompt = this.#context.fair;
    const begun = { startedAt: performance.now(), firstByteMs: null, text: 0, audioMs: 0, marks: undefined };
    return { ...awaited, id, prompt, ...begun };
  }

  #take(id: string): Running | undefined {
    const running = this.#running.get(id);
    if (running === undefined) return undefined;
    this.#running.delete(id);
    this.#scope.options.dependencies.checkpoints.forget(running.marks);
    return running;
  }

  #ended(running: Running, end: { status: number; errorCode: string | null }): Ended {
    const { held, startedAt, firstByteMs, id } = running;
    const { model } = this.#scope.options;
    return { held, model, startedAt, firstByteMs, name: id === '' ? 'no response' : `response ${id}`, ...end };
  }

  #release(running: Running, end: { status: number; errorCode: string | null }): Promise<void> {
    return this.#end(running, () => this.#scope.release(this.#ended(running, end)));
  }

  async #end(running: Running, end: () => Promise<void>): Promise<void> {
    try {
      await end();
    } finally {
      running.grant?.end();
    }
  }

  /** Each response is a request of its rate policy. */
  async #admit(): Promise<RateGrant | undefined> {
    const { principal } = await this.#scope.check();
    if (principal.rateSubjects.length === 0) return undefined;
    const { requestId, dependencies } = this.#scope.options;
    const { text, audio, image } = this.#context.fair;
    const call = { requestId: `${requestId}/rate-${++this.#admitted}`, endpoint: ENDPOINT, principal };
    return dependencies.limiter.admit(call, text + audio + image);
  }

  #ensure(asked: Asked, headroomMs: number): Promise<void> {
    const { model } = this.#scope.options;
    const prompt = this.#context.toHold;
    const more = { ...prompt, audio: prompt.audio + headroomMs / 100 };
    const most = (found: Model | undefined): number =>
      asked.maxOutputTokens ?? found?.maxOutputTokens ?? DEFAULT_MAX_OUTPUT;
    const catalogued = this.#scope.options.dependencies.catalogue.current.models.get(model);
    const amountOf = (bill: RealtimeBill, size: OwnCount['prompt']): bigint =>
      bill.toHold(size, most(catalogued), asked.speaks);
    return this.#spare.ensure(
      ({ bill }) => amountOf(bill, prompt),
      () => this.#scope.hold(model, (bill) => amountOf(bill, more)),
    );
  }
}

/** The session's limit may have been lifted just before: the upstream shows which one it took. */
function withLimit(asked: Asked, shown: Asked): Asked {
  if (asked.isOwnLimit || !shown.isOwnLimit) return asked;
  return { ...asked, maxOutputTokens: largerLimit(asked.maxOutputTokens, shown.maxOutputTokens) };
}

/** undefined is no limit. */
export function largerLimit(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? undefined : Math.max(one, other);
}

function countOf({ prompt, text, audioMs }: Running): OwnCount {
  return { prompt, text, audio: tokensSaid(audioMs) };
}
