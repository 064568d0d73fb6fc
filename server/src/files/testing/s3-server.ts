// A small S3 for tests: keeps objects in memory and checks the signature of every request by its own reading of the rules.
import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface S3Server {
  url: string;
  objects: Map<string, { bytes: Buffer; changedAt: Date }>;
  /** Why requests were refused. */
  refusals: string[];
  stop(): Promise<void>;
}

const PAGE = 2;

export async function startS3Server({ accessKey, secret }: { accessKey: string; secret: string }): Promise<S3Server> {
  const objects: S3Server['objects'] = new Map();
  const refusals: string[] = [];
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const problem = problemOf(request, { accessKey, secret });
      if (problem === undefined) return serve(request, Buffer.concat(pieces), response, objects);
      refusals.push(problem);
      response.writeHead(403).end(`<Error><Code>SignatureDoesNotMatch</Code><Message>${problem}</Message></Error>`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    refusals,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function serve(request: IncomingMessage, body: Buffer, response: ServerResponse, objects: S3Server['objects']): void {
  const url = new URL(request.url ?? '/', 'http://x');
  const key = url.pathname.replace(/^\/bucket\//, '');
  const object = objects.get(key);
  switch (request.method) {
    case 'PUT':
      objects.set(key, { bytes: body, changedAt: new Date() });
      return void response.writeHead(200).end();
    case 'DELETE':
      objects.delete(key);
      return void response.writeHead(204).end();
    default:
      if (key === '') return list(url, response, objects);
      if (object === undefined) return void response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>');
      sendObject(request, response, object.bytes);
  }
}

function sendObject({ headers }: IncomingMessage, response: ServerResponse, bytes: Buffer): void {
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
  if (first === undefined) return void response.writeHead(200).end(bytes);
  response.writeHead(206).end(bytes.subarray(Number(first), Number(last) + 1));
}

function list({ searchParams }: URL, response: ServerResponse, objects: S3Server['objects']): void {
  const keys = [...objects.keys()].filter((key) => key.startsWith(searchParams.get('prefix') ?? '')).sort();
  const from = Number((searchParams.get('continuation-token') ?? 'at&0').slice(3));
  const contents = keys.slice(from, from + PAGE).map((key) => {
    const changed = objects.get(key)?.changedAt.toISOString();
    return `<Contents><Key>${key}</Key><LastModified>${changed}</LastModified><Size>1</Size></Contents>`;
  });
  const more = from + PAGE < keys.length;
  const next = more ? `<NextContinuationToken>at&amp;${from + PAGE}</NextContinuationToken>` : '';
  response
    .writeHead(200, { 'content-type': 'application/xml' })
    .end(`<ListBucketResult><IsTruncated>${more}</IsTruncated>${contents.join('')}${next}</ListBucketResult>`);
}

function problemOf(
  { method, url = '/', headers }: IncomingMessage,
  { accessKey, secret }: { accessKey: string; secret: string },
): string | undefined {
  const given =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/;
  const [, key, day = '', region = '', names = '', signature] = given.exec(headers.authorization ?? '') ?? [];
  if (key !== accessKey) return 'the credential is not known';
  const date = String(headers['x-amz-date']);
  if (!/^\d{8}T\d{6}Z$/.test(date) || !date.startsWith(day)) return 'the date is missing';
  for (const name of ['host', 'x-amz-content-sha256', 'x-amz-date'])
    if (!names.split(';').includes(name)) return `${name} is not signed`;
  const [path = '', query = ''] = url.split('?');
  const sorted = query
    .split('&')
    .filter((one) => one !== '')
    .map((one) => one.split('=').map((part) => encodeURIComponent(decodeURIComponent(part))))
    .sort(([a = ''], [b = '']) => (a < b ? -1 : 1))
    .map((pair) => pair.join('='))
    .join('&');
  const lines = names.split(';').map((name) => `${name}:${String(headers[name])}\n`);
  const canonical = `${method}\n${path}\n${sorted}\n${lines.join('')}\n${names}\n${String(headers['x-amz-content-sha256'])}`;
  const hashed = createHash('sha256').update(canonical).digest('hex');
  const mac = (secretKey: string | Buffer, text: string) => createHmac('sha256', secretKey).update(text).digest();
  const signing = mac(mac(mac(mac(`AWS4${secret}`, day), region), 's3'), 'aws4_request');
  const expected = mac(signing, `AWS4-HMAC-SHA256\n${date}\n${day}/${region}/s3/aws4_request\n${hashed}`);
  return expected.toString('hex') === signature ? undefined : 'the signature does not match';
}
