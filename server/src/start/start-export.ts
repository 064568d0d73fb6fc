// The export to analytic stores: one worker for each sink of TOLLGATE_EXPORT. Made here, started when the server listens.
import { readLags } from '../export/lag.ts';
import { ClickHouseClient } from '../export/clickhouse/client.ts';
import { RequestArchive } from '../export/clickhouse/request-archive.ts';
import { openSink } from '../export/open-sink.ts';
import { SinkExport } from '../export/sink-export.ts';
import { unixSeconds } from '../shared/clock.ts';
import { proxiesOf } from './open-clients.ts';
import type { Data } from './open-data.ts';
import type { Telemetry } from './open-telemetry.ts';
import type { StartContext } from './start-context.ts';

export type Exports = ReturnType<typeof makeExport>;

export function makeExport(context: StartContext, { store, metrics }: Pick<Data, 'store'> & Telemetry) {
  const { config, clock, errors, processId, started } = context;
  const names = config.exportSinks.map(({ name }) => name);
  const workers = config.exportSinks.map((address) => {
    const sink = openSink(address, clock, proxiesOf(config));
    const onWritten = ({ name, rows }: { name: string; rows: number }): void =>
      metrics.exported({ sink: sink.name, table: name, rows });
    const onError = (error: unknown, what: string): void => errors.tell(error, what);
    const worker = new SinkExport({ store, clock, owner: processId, sink, onWritten, onError });
    started.add(`the export to ${sink.name}`, () => worker.stop());
    return worker;
  });
  return {
    exports: { states: () => readLags(store, names), archive: openArchive(context) },
    startExport(): void {
      for (const worker of workers) worker.start();
    },
  };
}

/** The first ClickHouse among the sinks. */
function openArchive({ config, clock, errors, started }: StartContext): RequestArchive | undefined {
  for (const sink of config.exportSinks) {
    if (sink.kind !== 'clickhouse') continue;
    const client = new ClickHouseClient(sink.server, proxiesOf(config));
    started.add('the archive of the request log', () => client.close());
    const onError = (error: unknown, what: string): void => errors.tell(error, what);
    return new RequestArchive({ client, days: config.requestLogDays, now: () => unixSeconds(clock), onError });
  }
  return undefined;
}
