// Several processes on one port (TOLLGATE_WORKERS): the primary starts workers, replaces one that died, changes them one by
// one on SIGHUP, passes the stop on, keeps their rate windows and sums their metrics. Requests never run in it.
import cluster, { type Worker } from 'node:cluster';
import { PrimaryRates } from '../access/rate-limit/primary-rates.ts';
import { steadyClock } from '../shared/clock.ts';
import { AskAll, type AskedWorker } from './ask-all.ts';
import { MetricsSum } from './metrics-sum.ts';
import type { FromPrimary, FromWorker, WorkerOrders } from './messages.ts';
import { restartPause } from './restart-pause.ts';

export interface PrimarySettings {
  workers: number;
  sandbox: WorkerOrders['sandbox'];
  listenFd?: WorkerOrders['listenFd'];
  /** What the first worker has to tell people. */
  onWelcome(text: string): void;
  /** Every worker serves, for the first time. */
  onAllReady?(): void;
  onNews(facts: object, words: string): void;
  /** The worst exit code of the workers. */
  onStopped(code: number): void;
}

interface Member {
  worker: Worker;
  slot: number;
  startedAt: number;
  /** One that fails to take over from another that lives is not replaced, nor is one that was asked to end. */
  state: 'starting' | 'taking-over' | 'ready' | 'retired';
}

export class Primary {
  readonly #settings: PrimarySettings;
  readonly #members = new Map<number, Member>();
  readonly #metrics = new MetricsSum();
  readonly #refreshes = new AskAll();
  readonly #rates = new PrimaryRates(steadyClock);
  /** Deaths in a row, by slot. */
  readonly #deaths = new Map<number, number>();
  #isWelcomed = false;
  #isComplete = false;
  #listenFd: number | undefined;
  #isStopping = false;
  #worstCode = 0;
  #isChanging = false;
  #isChangeWanted = false;

  constructor(settings: PrimarySettings) {
    this.#settings = settings;
    this.#listenFd = settings.listenFd;
  }

  /** The first worker prepares the data; the others follow when it is ready. */
  start(): void {
    cluster.setupPrimary({ serialization: 'advanced' }); // JSON knows no NaN
    cluster.on('message', (worker, message: FromWorker) => this.#heard(worker, message));
    cluster.on('exit', (worker, code: number | null) => this.#ended(worker, code));
    this.#fork(1);
  }

  stop(): void {
    this.#isStopping = true;
    for (const { worker } of this.#members.values()) worker.process.kill('SIGTERM');
    this.#finishIfAlone();
  }

  /** Another primary serves the port: workers end what they have, and come back over no new connection. */
  retire(): void {
    this.#isStopping = true;
    for (const member of this.#members.values()) {
      if (member.state === 'ready') {
        member.state = 'retired';
        tell(member.worker, { kind: 'retire' });
      } else if (member.state !== 'retired') member.worker.process.kill('SIGTERM');
    }
    this.#finishIfAlone();
  }

  /** New workers first, then the old ones end what they have: no connection is refused and no stream is cut. */
  changeWorkers(): void {
    this.#isChangeWanted = true;
    if (this.#isChanging) return;
    this.#isChanging = true;
    void this.#changeAll().finally(() => {
      this.#isChanging = false;
    });
  }

  async #changeAll(): Promise<void> {
    while (this.#isChangeWanted && !this.#isStopping) {
      this.#isChangeWanted = false;
      const old = [...this.#members.values()].filter(({ state }) => state === 'ready');
      for (const member of old) if (!(await this.#change(member))) return;
    }
  }

  /** False when the new one does not come up: then the old ones stay. */
  async #change(old: Member): Promise<boolean> {
    const { onNews } = this.#settings;
    if (this.#isStopping) return false;
    const successor = this.#fork(old.slot, 'taking-over');
    const isUp = await becomesReady(successor);
    if (this.#isStopping || !isUp || !this.#members.has(old.worker.id)) {
      if (!isUp) onNews({ worker: old.slot }, 'a new worker could not start; the old ones stay');
      return isUp;
    }
    old.state = 'retired';
    tell(old.worker, { kind: 'retire' });
    onNews({ worker: old.slot, pid: successor.process.pid }, 'a worker was changed; the old one ends what it has');
    return true;
  }

  #fork(slot: number, state: Member['state'] = 'starting'): Worker {
    const worker = cluster.fork();
    const ended = this.#rates.serve({
      send: (message) => void (worker.isConnected() && worker.send(message as object, () => {})),
      onMessage: (listener) => void worker.on('message', listener),
    });
    worker.once('exit', ended);
    worker.on('error', (error) => this.#failed(worker, error));
    this.#members.set(worker.id, { worker, slot, startedAt: performance.now(), state });
    return worker;
  }

  /** What anybody, node:cluster too, sends to a worker that was killed fails: no news, its end is reported by 'exit'. */
  #failed(worker: Worker, error: Error): void {
    if (worker.process.pid !== undefined) return;
    this.#settings.onNews({ worker: this.#members.get(worker.id)?.slot, error }, 'a worker could not be started');
    worker.emit('exit', null); // nobody else says so of a process that never was
    this.#ended(worker, null);
  }

  #heard(worker: Worker, message: FromWorker): void {
    const member = this.#members.get(worker.id);
    if (member === undefined) return;
    if (message.kind === 'hello') {
      const { sandbox } = this.#settings;
      tell(worker, { kind: 'orders', orders: { slot: member.slot, sandbox, listenFd: this.#listenFd } });
    } else if (message.kind === 'ready') {
      this.#ready(member, message.welcome);
    } else if (message.kind === 'all-metrics-wanted') {
      void this.#answerMetrics(worker, message.question);
    } else if (message.kind === 'refresh-all-wanted') {
      void this.#refreshOthers(worker, message.question);
    } else if (message.kind === 'refreshed') {
      this.#refreshes.answered(worker.id, message.question);
    } else if (message.kind === 'metrics') {
      this.#metrics.heard(worker.id, message.series, message.question);
    } else if (message.kind === 'farewell') {
      this.#metrics.heard(worker.id, message.series);
    }
  }

  #ready(member: Member, welcome: string): void {
    member.state = 'ready';
    member.worker.emit('ready');
    if (!this.#isWelcomed) {
      this.#isWelcomed = true;
      this.#settings.onWelcome(welcome);
      for (let slot = 2; slot <= this.#settings.workers; slot++) if (!this.#isStopping) this.#fork(slot);
    }
    if (this.#isComplete || [...this.#members.values()].some(({ state }) => state !== 'ready')) return;
    this.#isComplete = true;
    this.#settings.onAllReady?.();
  }

  async #answerMetrics(asker: Worker, question: number): Promise<void> {
    const asked = this.#serving((number) => ({ kind: 'metrics-wanted', question: number }));
    tell(asker, { kind: 'all-metrics', question, text: await this.#metrics.gather(asked) });
  }

  /** The one that asks has made the change and knows it. */
  async #refreshOthers(asker: Worker, question: number): Promise<void> {
    const asked = this.#serving((number) => ({ kind: 'refresh-wanted', question: number }));
    await this.#refreshes.ask(asked.filter(({ id }) => id !== asker.id));
    tell(asker, { kind: 'all-refreshed', question });
  }

  #serving(message: (question: number) => FromPrimary): AskedWorker[] {
    return [...this.#members.values()]
      .filter(({ state, worker }) => (state === 'ready' || state === 'retired') && worker.isConnected())
      .map(({ worker }) => ({ id: worker.id, ask: (question: number) => tell(worker, message(question)) }));
  }

  #ended(worker: Worker, code: number | null): void {
    const member = this.#members.get(worker.id);
    if (member === undefined) return;
    this.#members.delete(worker.id);
    this.#metrics.left(worker.id);
    this.#refreshes.left(worker.id);
    if (this.#serving(() => ({ kind: 'retire' })).length === 0) this.#listenFd = undefined; // closed with the last of them
    if (this.#isStopping) {
      const wasServing = member.state === 'ready' || member.state === 'retired'; // the others had nothing to end
      if (wasServing) this.#worstCode = Math.max(this.#worstCode, code ?? 1);
      this.#finishIfAlone();
    } else if (!this.#isWelcomed) {
      this.#settings.onStopped(1); // it said why
    } else if (member.state === 'taking-over' ? !this.#isTaken(member.slot) : member.state !== 'retired') {
      this.#replace(member, code);
    }
  }

  #replace({ slot, worker, startedAt }: Member, code: number | null): void {
    const deaths =
      performance.now() - startedAt > restartPause.forgottenAfterMs ? 1 : (this.#deaths.get(slot) ?? 0) + 1;
    this.#deaths.set(slot, deaths);
    const pauseMs = restartPause.of(deaths);
    const facts = { worker: slot, pid: worker.process.pid, code, pause_ms: pauseMs };
    this.#settings.onNews(facts, 'a worker died and is replaced');
    setTimeout(() => {
      if (!this.#isStopping && !this.#isTaken(slot)) this.#fork(slot);
    }, pauseMs);
  }

  #isTaken(slot: number): boolean {
    return [...this.#members.values()].some((member) => member.slot === slot && member.state !== 'retired');
  }

  #finishIfAlone(): void {
    if (this.#members.size === 0) this.#settings.onStopped(this.#worstCode);
  }
}

function becomesReady(worker: Worker): Promise<boolean> {
  return new Promise((resolve) => {
    worker.once('ready', () => resolve(true));
    worker.once('exit', () => resolve(false));
  });
}

function tell(worker: Worker, message: FromPrimary): void {
  if (worker.isConnected()) worker.send(message, () => {}); // its end may be on the way
}
