// What Prometheus reads of the replica that lists come from (DATABASE_READ_URL).
import type { Counter, Gauge, Registry } from 'prom-client';
import { Meters } from './meters.ts';

export interface ShownReplica {
  problem: string | undefined;
  lagSeconds: number;
  /** So far. */
  lists: { replica: number; primary: number };
}

const DATABASES = ['replica', 'primary'] as const;

export class ReplicaMetrics {
  readonly #away: Gauge;
  readonly #lag: Gauge;
  readonly #lists: Counter<'database'>;
  #shown: ShownReplica['lists'] = { replica: 0, primary: 0 };

  constructor(registry: Registry) {
    const meters = new Meters(registry);
    this.#away = meters.gauge(
      'tollgate_read_replica_away',
      '1 while the replica (DATABASE_READ_URL) cannot be read and lists come from the primary',
    );
    this.#lag = meters.gauge(
      'tollgate_read_replica_lag_seconds',
      'How long ago the oldest change was written that the replica lacks',
      { aggregator: 'max' },
    );
    this.#lists = meters.counter(
      'tollgate_list_statements_total',
      'Statements of lists where a replica is set, by the database that they were put to',
      { labels: ['database'] },
    );
  }

  show({ problem, lagSeconds, lists }: ShownReplica): void {
    this.#away.set(problem === undefined ? 0 : 1);
    this.#lag.set(lagSeconds);
    for (const database of DATABASES) this.#lists.inc({ database }, lists[database] - this.#shown[database]);
    this.#shown = lists;
  }
}
