// A sink for tests: keeps the batches it is given, and fails when a test says so.
import type { ExportBatch, ExportSink } from '../sink.ts';

export class MemorySink implements ExportSink {
  readonly name: string;
  readonly batches: ExportBatch[] = [];
  /** Called before each batch; throws what the sink shall fail with. */
  before: (batch: ExportBatch) => unknown = () => undefined;
  /** The same, when the batch is in the sink. */
  after: (batch: ExportBatch) => unknown = () => undefined;

  constructor(name = 'memory') {
    this.name = name;
  }

  check(): Promise<void> {
    return Promise.resolve();
  }

  prepare(): Promise<void> {
    return Promise.resolve();
  }

  async write(batch: ExportBatch): Promise<void> {
    await this.before(batch);
    this.batches.push(batch);
    await this.after(batch);
  }

  close(): void {}

  /** The newest version of each row, in the order in which the rows came first. */
  rows(name: ExportBatch['name']): Map<string, ExportBatch['lines'][number]> {
    const rows = new Map<string, ExportBatch['lines'][number]>();
    for (const batch of this.batches) {
      if (batch.name !== name) continue;
      for (const line of batch.lines) {
        const known = rows.get(line.record.id);
        if (known === undefined || known.version <= line.version) rows.set(line.record.id, line);
      }
    }
    return rows;
  }
}
