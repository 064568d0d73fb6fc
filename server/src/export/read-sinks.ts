// TOLLGATE_EXPORT: a comma list of file:///folder, s3://bucket/prefix?... and clickhouse://user:password@host:8123/database.
// No sentence that refuses one repeats what may hold a password.
import { fileURLToPath } from 'node:url';
import { readS3Address, type S3Address } from '../files/s3/s3-address.ts';

export interface ClickHouseAddress {
  /** http://host:port */
  origin: string;
  user: string;
  password: string;
  database: string;
}

export type SinkAddress = { name: string } & (
  | { kind: 'file'; folder: string }
  | { kind: 's3'; bucket: S3Address }
  | { kind: 'clickhouse'; server: ClickHouseAddress }
);

interface Reading {
  /** Of the environment. */
  variable(name: string): string | undefined;
  refuse(sentence: string): never;
}

// Without a password in it, which would be hidden as one.
const KINDS = 'file:///folder, s3://bucket/prefix?region=... or clickhouse://user@host:8123/database';
const DATABASE = /^[A-Za-z_]\w{0,62}$/;
const PORT = { plain: '8123', secure: '8443' };

export function readSinks(text: string, reading: Reading): SinkAddress[] {
  const sinks = text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .map((one) => readSink(one, reading));
  const names = sinks.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) reading.refuse(`names ${twice} twice.`);
  return sinks;
}

function readSink(text: string, reading: Reading): SinkAddress {
  const url = URL.parse(text);
  switch (url?.protocol) {
    case 'file:':
      return readFolder(url, reading);
    case 's3:':
      return readBucket(url, reading);
    case 'clickhouse:':
      return readClickHouse(url, reading);
    default:
      return reading.refuse(`must be a comma list of ${KINDS}.`);
  }
}

function readFolder(url: URL, { refuse }: Reading): SinkAddress {
  if (url.host !== '' || url.search !== '' || url.hash !== '' || url.pathname === '/')
    return refuse('must name the whole path of a folder, with three slashes: file:///var/lib/tollgate/export.');
  const folder = fileURLToPath(url).replace(/\/+$/, '');
  return { kind: 'file', name: `file://${folder}`, folder };
}

function readBucket(url: URL, { variable, refuse }: Reading): SinkAddress {
  const bucket = readS3Address(url.href, variable, refuse);
  const path = `s3://${bucket.bucket}/${bucket.prefix.replace(/\/$/, '')}`;
  if (bucket.endpoint === undefined) return { kind: 's3', name: path, bucket };
  const { origin, pathname } = new URL(bucket.endpoint);
  return { kind: 's3', name: `${path}?endpoint=${origin}${pathname.replace(/\/$/, '')}`, bucket };
}

function readClickHouse(url: URL, { refuse }: Reading): SinkAddress {
  const { hostname, port, pathname, searchParams } = url;
  const secure = searchParams.get('secure') ?? 'false';
  // Not named: behind a "?" that was not written as %3F it is a part of the password.
  if ([...searchParams.keys()].some((name) => name !== 'secure'))
    refuse('has an unknown parameter of ClickHouse; only secure is known, and a "?" in a password is written as %3F.');
  if (secure !== 'true' && secure !== 'false') refuse('has a "secure" of ClickHouse that is neither true nor false.');
  const database = pathname.slice(1);
  if (hostname === '' || !DATABASE.test(database))
    refuse(
      'must name host and database of ClickHouse: clickhouse://host:8123/database, with user:password@ before the host.',
    );
  const host = `${hostname}:${port === '' ? PORT[secure === 'true' ? 'secure' : 'plain'] : port}`;
  const server = {
    origin: `${secure === 'true' ? 'https' : 'http'}://${host}`,
    user: decoded(url.username, refuse) || 'default',
    password: decoded(url.password, refuse),
    database,
  };
  return { kind: 'clickhouse', name: `clickhouse://${host}/${database}`, server };
}

function decoded(text: string, refuse: Reading['refuse']): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return refuse(
      'has a user or password of ClickHouse with a "%" that is not followed by two hex digits; write it as %25.',
    );
  }
}
