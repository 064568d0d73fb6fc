// Where rows are exported to: what every kind of sink can do.
import type { LedgerEntry } from '#contract/ledger.ts';
import type { LogLine } from '../operator/records/requests.ts';
import type { ExportRange } from '../store/queries/exports.ts';

export interface ExportedLine {
  /** Of two lines with the same id the one with the higher version is the newer; of a ledger entry its id. */
  version: bigint;
  record: LedgerEntry | LogLine;
}

export interface ExportBatch extends ExportRange {
  lines: readonly ExportedLine[];
  /** A process may have written it before, in whole or in part. */
  isRepeated: boolean;
}

export interface ExportSink {
  /** As operators see it and as its cursor is kept: without user and password. */
  readonly name: string;
  /** Rejects when it cannot be written to. Changes nothing. */
  check(): Promise<void>;
  /** Makes what must be there before the first batch. */
  prepare(): Promise<void>;
  /** The batch is durable when this resolves. Written twice, it is there once. */
  write(batch: ExportBatch): Promise<void>;
  close(): void;
}
