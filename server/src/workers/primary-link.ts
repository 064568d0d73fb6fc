// A worker's side of the talk with its primary.
import type { FromPrimary, FromWorker, MetricSeries, WorkerOrders } from './messages.ts';

export interface PrimaryLinkSettings {
  /** The series of this process. */
  series(): Promise<MetricSeries>;
  /** Resolves when this process knows everything that operators have changed. */
  refresh(): Promise<void>;
  onRetire(): void;
}

export class PrimaryLink {
  readonly #waiting = new Map<number, (text: string) => void>();
  #settings: PrimaryLinkSettings | undefined;
  #orders: ((orders: WorkerOrders) => void) | undefined;
  #questions = 0;

  constructor() {
    process.on('message', (message: FromPrimary) => this.#heard(message));
  }

  receiveOrders(): Promise<WorkerOrders> {
    return new Promise((resolve) => {
      this.#orders = resolve;
      tell({ kind: 'hello' });
    });
  }

  ready(welcome: string, settings: PrimaryLinkSettings): void {
    this.#settings = settings;
    tell({ kind: 'ready', welcome });
  }

  /** Prometheus text of all workers together. */
  allMetrics(): Promise<string> {
    return this.#ask('all-metrics-wanted');
  }

  /** Resolves when every other worker knows everything that operators have changed, or has taken too long. */
  async refreshAll(): Promise<void> {
    if (process.connected) await this.#ask('refresh-all-wanted');
  }

  #ask(kind: 'all-metrics-wanted' | 'refresh-all-wanted'): Promise<string> {
    const question = ++this.#questions;
    return new Promise((resolve) => {
      this.#waiting.set(question, resolve);
      tell({ kind, question });
    });
  }

  /** Resolves when the primary has it, or cannot have it any more. */
  async farewell(): Promise<void> {
    const series = await this.#settings?.series();
    if (series === undefined || process.send === undefined || !process.connected) return;
    await new Promise<void>((resolve) => {
      process.send?.({ kind: 'farewell', series } satisfies FromWorker, undefined, undefined, () => resolve());
    });
  }

  #heard(message: FromPrimary): void {
    if (message.kind === 'orders') this.#orders?.(message.orders);
    if (message.kind === 'retire') this.#settings?.onRetire();
    if (message.kind === 'metrics-wanted') void this.#tellSeries(message.question);
    if (message.kind === 'refresh-wanted') void this.#refresh(message.question);
    if (message.kind !== 'all-metrics' && message.kind !== 'all-refreshed') return;
    this.#waiting.get(message.question)?.('text' in message ? message.text : '');
    this.#waiting.delete(message.question);
  }

  async #refresh(question: number): Promise<void> {
    await this.#settings?.refresh();
    tell({ kind: 'refreshed', question });
  }

  async #tellSeries(question: number): Promise<void> {
    const series = await this.#settings?.series();
    if (series !== undefined) tell({ kind: 'metrics', question, series });
  }
}

function tell(message: FromWorker): void {
  if (process.connected) process.send?.(message);
}
