// The sink of an address.
import { S3Client } from '../files/s3/s3-client.ts';
import type { Clock } from '../shared/clock.ts';
import type { ChooseServiceProxy } from '../shared/service-client.ts';
import { ClickHouseClient } from './clickhouse/client.ts';
import { ClickHouseSink } from './clickhouse/clickhouse-sink.ts';
import { FileSink } from './file-sink.ts';
import type { SinkAddress } from './read-sinks.ts';
import { S3Sink } from './s3-sink.ts';
import type { ExportSink } from './sink.ts';

export function openSink(address: SinkAddress, clock: Clock, chooseProxy: ChooseServiceProxy): ExportSink {
  switch (address.kind) {
    case 'file':
      return new FileSink(address);
    case 's3':
      return new S3Sink(
        { name: address.name, prefix: address.bucket.prefix },
        new S3Client(address.bucket, clock, chooseProxy),
      );
    case 'clickhouse':
      return new ClickHouseSink(address.name, new ClickHouseClient(address.server, chooseProxy));
  }
}
