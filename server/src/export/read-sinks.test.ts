import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSinks } from './read-sinks.ts';
import { redactText } from '../telemetry/redact.ts';

const KEYS: Record<string, string> = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'bucket-secret' };

const read = (text: string, variables = KEYS) =>
  readSinks(text, {
    variable: (name) => variables[name],
    refuse(sentence) {
      throw new Error(sentence);
    },
  });

test('a comma list names sinks of three kinds, shown without user and password (contract-2 12)', () => {
  const text = [
    'file:///var/lib/export%20files/',
    's3://bucket/some/prefix?endpoint=https://user:endpoint-secret@minio.example:9000&region=eu-central-1',
    ' clickhouse://ana:p%40ss%2Cword@host.example/analytics ',
    'clickhouse://h:9/other?secure=true',
  ].join(',');
  const sinks = read(text);
  assert.deepEqual(
    sinks.map(({ name }) => name),
    [
      'file:///var/lib/export files',
      's3://bucket/some/prefix?endpoint=https://minio.example:9000',
      'clickhouse://host.example:8123/analytics',
      'clickhouse://h:9/other',
    ],
  );
  const servers = sinks.flatMap((sink) => (sink.kind === 'clickhouse' ? [sink.server] : []));
  assert.deepEqual(servers, [
    { origin: 'http://host.example:8123', user: 'ana', password: 'p@ss,word', database: 'analytics' },
    { origin: 'https://h:9', user: 'default', password: '', database: 'other' },
  ]);
  assert.deepEqual(read(''), []);
});

const refused: [text: string, sentence: RegExp][] = [
  ['folder', /must be a comma list of file:\/\/\/folder, s3:/],
  ['file://folder/a', /three slashes/],
  ['file:///', /whole path of a folder/],
  ['s3://bucket/a b', /prefix with other characters/],
  ['s3://bucket?key=hunter22', /parameter "key"/],
  ['clickhouse://u:hunter22@host', /host and database of ClickHouse/],
  ['clickhouse://u:hunter22@host/data-base', /host and database of ClickHouse/],
  ['clickhouse://u:hunter22@host/a?secure=yes', /neither true nor false/],
  ['clickhouse://u:hunter22@host/a?ssl=1', /parameter of ClickHouse/],
  ['clickhouse://u:1?hunter22@host/a', /parameter of ClickHouse/],
  ['clickhouse://u:hunter22%zz@host/a', /"%" that is not followed/],
  ['clickhouse://a:x@host/a,clickhouse://b:y@host/a', /names clickhouse:\/\/host:8123\/a twice/],
  ['postgres://u:hunter22@host/a', /must be a comma list/],
];

for (const [text, sentence] of refused)
  test(`${text.replace('hunter22', '...')} is refused in a sentence without its password (promises O-10, A-03)`, () => {
    assert.throws(
      () => read(text),
      ({ message }: Error) => sentence.test(message) && !message.includes('hunter22'),
    );
  });

test('a sentence about addresses stays whole where a log hides passwords (promise O-10)', () => {
  for (const text of ['ftp://x', 'clickhouse://host'])
    assert.throws(
      () => read(text),
      ({ message }: Error) => redactText(message) === message,
    );
});

test('a bucket without credentials is refused (promise O-10)', () => {
  assert.throws(() => read('s3://bucket/a', {}), /AWS_ACCESS_KEY_ID/);
});
