// Exports into ClickHouse. A batch is one block, which ClickHouse takes whole or not at all in each month; one that may be there
// already is compared with what is there first, so that also a sum without FINAL counts nothing twice.
import type { ExportBatch, ExportedLine, ExportSink } from '../sink.ts';
import type { ClickHouseClient } from './client.ts';
import { lineOf, MAKE_TABLES, TABLES } from './tables.ts';

export class ClickHouseSink implements ExportSink {
  readonly name: string;
  readonly #client: ClickHouseClient;

  constructor(name: string, client: ClickHouseClient) {
    this.name = name;
    this.#client = client;
  }

  async check(): Promise<void> {
    await this.#client.run('SELECT 1');
  }

  async prepare(): Promise<void> {
    for (const statement of MAKE_TABLES) await this.#client.run(statement);
  }

  async write(batch: ExportBatch): Promise<void> {
    const present = batch.isRepeated ? await this.#present(batch) : new Set<string>();
    const lines = batch.lines.filter((line) => !present.has(keyOf(line)));
    if (lines.length === 0) return;
    const rows = lines.map((line) => lineOf(batch.name, line)).join('\n');
    await this.#client.insert(`INSERT INTO ${TABLES[batch.name]} FORMAT JSONEachRow`, rows);
  }

  close(): void {
    this.#client.close();
  }

  async #present({ name, from, to }: ExportBatch): Promise<Set<string>> {
    const range =
      to.number < 0n
        ? `version = 0 AND id > '${from.id}' AND id <= '${to.id}'`
        : `version > ${from.number} AND version <= ${to.number}`;
    const key = `SELECT concat(toString(id), ' ', toString(version)) FROM ${TABLES[name]} WHERE ${range}`;
    const text = await this.#client.run(`${key} FORMAT TabSeparatedRaw`);
    return new Set(text.split('\n'));
  }
}

function keyOf({ record, version }: ExportedLine): string {
  return `${record.id} ${version}`;
}
