// One signed HTTP exchange with a bucket. Bodies are streamed both ways; connections are kept for the next exchange.
import type { IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { pipeline } from 'node:stream/promises';
import { hashPayload, signAws, UNSIGNED } from '../../shared/aws/sigv4.ts';
import type { Clock } from '../../shared/clock.ts';
import type { BlobSource } from '../blob-store.ts';
import type { S3Address } from './s3-address.ts';
import { Agent as HttpAgent, request as httpRequest } from '../../shared/runtime/node-http.ts';

export interface S3Request {
  method: 'GET' | 'PUT' | 'DELETE';
  /** Of the object, with its prefix; '' for the bucket itself. */
  key: string;
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  body?: BlobSource;
}

/** Without a byte in either direction. */
const IDLE_MS = 30_000;
const EMPTY_HASH = hashPayload('');
const MOST_COMPLAINT = 2_000;

export class S3Client {
  readonly #address: S3Address;
  readonly #clock: Clock;
  readonly #agents = { 'http:': new HttpAgent({ keepAlive: true }), 'https:': new HttpsAgent({ keepAlive: true }) };

  constructor(address: S3Address, clock: Clock) {
    this.#address = address;
    this.#clock = clock;
  }

  /** Resolves with the head of any answer; its body is still to be read. */
  async send({ method, key, query = {}, headers = {}, body }: S3Request): Promise<IncomingMessage> {
    const url = this.#urlOf(key, query);
    const { region, credentials } = this.#address;
    const signed = signAws(
      { method, url, headers, payloadHash: body === undefined ? EMPTY_HASH : UNSIGNED },
      { scope: { region, service: 's3' }, credentials, at: new Date(this.#clock.now()) },
    );
    const isPlain = url.protocol === 'http:';
    const outgoing = (isPlain ? httpRequest : httpsRequest)(url, {
      method,
      agent: this.#agents[isPlain ? 'http:' : 'https:'],
      headers: { ...headers, ...signed, ...(body !== undefined && { 'content-length': body.length }) },
    });
    outgoing.setTimeout(IDLE_MS, () => outgoing.destroy(new Error('the bucket does not answer')));
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      outgoing.on('response', resolve).on('error', reject);
    });
    if (body === undefined) outgoing.end();
    // An answer may come before the whole body is sent: then it is a refusal, and says more than the broken pipe.
    else await Promise.race([pipeline(body.open(), outgoing).catch(() => answered), answered]);
    return answered;
  }

  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }

  #urlOf(key: string, query: Readonly<Record<string, string>>): URL {
    const { endpoint, bucket, region } = this.#address;
    const url = new URL(
      endpoint === undefined ? `https://${bucket}.s3.${region}.amazonaws.com/${key}` : `${endpoint}/${bucket}/${key}`,
    );
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return url;
  }
}

export async function readText(answer: IncomingMessage): Promise<string> {
  let text = '';
  answer.setEncoding('utf8');
  for await (const piece of answer) text += piece as string;
  return text;
}

/** What a bucket says that refused something. */
export async function complaintOf(answer: IncomingMessage, what: string): Promise<Error> {
  const text = await readText(answer).catch(() => '');
  const [, code = ''] = /<Code>([^<]{1,100})<\/Code>/.exec(text.slice(0, MOST_COMPLAINT)) ?? [];
  return new Error(`the bucket answered ${answer.statusCode}${code === '' ? '' : ` ${code}`} to ${what}`);
}
