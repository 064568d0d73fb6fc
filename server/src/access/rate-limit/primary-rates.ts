// Rate windows of several workers on one machine, kept by the primary that started them: a worker asks over the channel
// between them, so that limits are exact together and outlive any one worker.
import type { Clock } from '../../shared/clock.ts';
import { answeredWithin } from '../../shared/lag-aware-timeout.ts';
import { InProcessStore } from './in-process-store.ts';
import type { RateEnd, RateVerdict, RateRequest, RemoteRateStore } from './rate-store.ts';

/** One side of the channel. */
export interface RateChannel {
  send(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
}

type Question =
  | { kind: 'ping' }
  | { kind: 'admit'; request: RateRequest }
  | { kind: 'add'; request: RateRequest; output: number }
  | { kind: 'end'; end: RateEnd };
interface Asked {
  rateQuestion: Question;
  id: number;
}
interface Answered {
  rateAnswer: RateVerdict | null;
  id: number;
}

const ANSWER_MS = 1_000;

/** The worker's side. */
export class PrimaryStore implements RemoteRateStore {
  readonly #channel: RateChannel;
  readonly #waiting = new Map<number, (answer: RateVerdict | null) => void>();
  #names = 0;

  constructor(channel: RateChannel) {
    this.#channel = channel;
    channel.onMessage((message) => {
      const { rateAnswer, id } = (message ?? {}) as Partial<Answered>;
      if (rateAnswer === undefined || id === undefined) return;
      this.#waiting.get(id)?.(rateAnswer);
      this.#waiting.delete(id);
    });
  }

  async ping(): Promise<void> {
    await inTime(this.#ask({ kind: 'ping' }));
  }

  async admit(request: RateRequest): Promise<RateVerdict> {
    const answer = this.#ask({ kind: 'admit', request });
    const verdict = await inTime(answer).catch((error: unknown) => {
      void answer.then((late) => this.#giveBack(request, late));
      throw error;
    });
    if (verdict === null) throw new Error('the primary gave no verdict');
    return { ...verdict, waitMs: verdict.waitMs ?? Infinity }; // the channel carries no Infinity
  }

  async add(request: RateRequest, output: number): Promise<void> {
    await inTime(this.#ask({ kind: 'add', request, output }));
  }

  async end(end: RateEnd): Promise<void> {
    await inTime(this.#ask({ kind: 'end', end }));
  }

  close(): void {}

  /** Nobody will tell the primary of this call's end any more. What it counted stays: the call may be made all the same. */
  #giveBack(request: RateRequest, late: RateVerdict | null): void {
    if (late === null || late.blockedBy !== undefined) return;
    void this.#ask({ kind: 'end', end: { request, second: late.second, input: request.tokens, output: 0 } });
  }

  /** The answer, however late. */
  #ask(rateQuestion: Question): Promise<RateVerdict | null> {
    const id = ++this.#names;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      const asked: Asked = { rateQuestion, id };
      this.#channel.send(asked);
    });
  }
}

function inTime<T>(answer: Promise<T>): Promise<T> {
  return answeredWithin(ANSWER_MS, answer, 'the primary does not answer');
}

/** The primary's side: one for all workers. */
export class PrimaryRates {
  readonly #store: InProcessStore;

  constructor(clock: Clock) {
    this.#store = new InProcessStore(clock);
  }

  /** Answers a worker. Call what it returns when the worker is gone: what it had running is over then. */
  serve(channel: RateChannel): () => void {
    const running = new Map<string, RateEnd>();
    let isGone = false;
    channel.onMessage((message) => {
      const { rateQuestion, id } = (message ?? {}) as Partial<Asked>;
      if (isGone || rateQuestion === undefined || id === undefined) return; // what it asked last may be read after its end
      const answered: Answered = { rateAnswer: this.#answer(rateQuestion, running), id };
      channel.send(answered);
    });
    return () => {
      isGone = true;
      for (const end of running.values()) this.#store.end(end);
      running.clear();
    };
  }

  #answer(question: Question, running: Map<string, RateEnd>): RateVerdict | null {
    if (question.kind === 'admit') {
      const { request } = question;
      const verdict = this.#store.admit(request);
      const { second, blockedBy } = verdict;
      if (blockedBy === undefined)
        running.set(request.requestId, { request, second, input: request.tokens, output: 0 });
      return verdict;
    }
    if (question.kind === 'add') this.#store.add(question.request, question.output);
    if (question.kind === 'end' && running.delete(question.end.request.requestId)) this.#store.end(question.end);
    return null;
  }
}
