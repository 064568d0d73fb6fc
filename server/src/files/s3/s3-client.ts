// One signed HTTP exchange with a bucket. Bodies are streamed both ways.
import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { hashPayload, signAws, UNSIGNED } from '../../shared/aws/sigv4.ts';
import type { Clock } from '../../shared/clock.ts';
import { type ChooseServiceProxy, readText, ServiceClient } from '../../shared/service-client.ts';
import type { BlobSource } from '../blob-store.ts';
import type { S3Address } from './s3-address.ts';

export interface S3Request {
  method: 'GET' | 'PUT' | 'DELETE';
  /** Of the object, with its prefix; '' for the bucket itself. */
  key: string;
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  body?: BlobSource;
}

const EMPTY_HASH = hashPayload('');
const MOST_COMPLAINT = 2_000;

export class S3Client {
  readonly #address: S3Address;
  readonly #clock: Clock;
  readonly #client: ServiceClient;

  constructor(address: S3Address, clock: Clock, chooseProxy: ChooseServiceProxy) {
    this.#address = address;
    this.#clock = clock;
    this.#client = new ServiceClient('the bucket', this.#urlOf('', {}).origin, chooseProxy);
  }

  /** Resolves with the head of any answer; its body is still to be read. */
  async send({ method, key, query = {}, headers = {}, body }: S3Request): Promise<IncomingMessage> {
    const url = this.#urlOf(key, query);
    const { region, credentials } = this.#address;
    const signed = signAws(
      { method, url, headers, payloadHash: body === undefined ? EMPTY_HASH : UNSIGNED },
      { scope: { region, service: 's3' }, credentials, at: new Date(this.#clock.now()) },
    );
    const { outgoing, answered } = this.#client.begin(url, {
      method,
      headers: { ...headers, ...signed, ...(body !== undefined && { 'content-length': body.length }) },
    });
    if (body === undefined) outgoing.end();
    // An answer may come before the whole body is sent: then it is a refusal, and says more than the broken pipe.
    else await Promise.race([pipeline(body.open(), outgoing).catch(() => answered), answered]);
    return answered;
  }

  close(): void {
    this.#client.close();
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

/** What a bucket says that refused something. */
export async function complaintOf(answer: IncomingMessage, what: string): Promise<Error> {
  const text = await readText(answer).catch(() => '');
  const [, code = ''] = /<Code>([^<]{1,100})<\/Code>/.exec(text.slice(0, MOST_COMPLAINT)) ?? [];
  return new Error(`the bucket answered ${answer.statusCode}${code === '' ? '' : ` ${code}`} to ${what}`);
}
