// What Prometheus reads of the export. Sinks are those of the settings: few.
import { Counter, Gauge, type Registry } from 'prom-client';

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
    const registers = [registry];
    this.#rows = new Counter({
      name: 'tollgate_exported_rows_total',
      help: 'Rows that were written to a sink of the export',
      labelNames: ['sink', 'table'],
      registers,
    });
    // Each process reads those of all.
    const lag = { labelNames: ['sink'] as const, aggregator: 'first' as const, registers };
    this.#lagRows = new Gauge({
      name: 'tollgate_export_lag_rows',
      help: 'Rows that a sink of the export lacks',
      ...lag,
    });
    this.#lagSeconds = new Gauge({
      name: 'tollgate_export_lag_seconds',
      help: 'How long the oldest row that a sink of the export lacks has waited',
      ...lag,
    });
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
