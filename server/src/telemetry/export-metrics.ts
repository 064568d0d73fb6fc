// What Prometheus reads of the export. Sinks are those of the settings: few.
import type { Counter, Gauge, Registry } from 'prom-client';
import { Meters } from './meters.ts';

export interface ExportedRows {
  sink: string;
  table: string;
  rows: number;
}

export interface ExportLag {
  sink: string;
  lag_rows: number;
  lag_seconds: number;
}

export class ExportMetrics {
  readonly #rows: Counter<'sink' | 'table'>;
  readonly #lagRows: Gauge<'sink'>;
  readonly #lagSeconds: Gauge<'sink'>;

  constructor(registry: Registry) {
    const meters = new Meters(registry);
    const written = 'Rows that were written to a sink of the export';
    this.#rows = meters.counter('tollgate_exported_rows_total', written, { labels: ['sink', 'table'] });
    // Each process reads those of all.
    const lag = { labels: ['sink'], aggregator: 'first' } as const;
    this.#lagRows = meters.gauge('tollgate_export_lag_rows', 'Rows that a sink of the export lacks', lag);
    const waited = 'How long the oldest row that a sink of the export lacks has waited';
    this.#lagSeconds = meters.gauge('tollgate_export_lag_seconds', waited, lag);
  }

  count({ sink, table, rows }: ExportedRows): void {
    this.#rows.inc({ sink, table }, rows);
  }

  show(lags: readonly ExportLag[]): void {
    this.#lagRows.reset();
    this.#lagSeconds.reset();
    for (const { sink, lag_rows, lag_seconds } of lags) {
      this.#lagRows.set({ sink }, lag_rows);
      this.#lagSeconds.set({ sink }, lag_seconds);
    }
  }
}
