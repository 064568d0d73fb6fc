// Blobs as objects of an S3-compatible bucket. An object is there whole or not at all: the service sees to it.
import type { Readable } from 'node:stream';
import type { BlobEntry, BlobRange, BlobSource, BlobStore } from '../blob-store.ts';
import { readText } from '../../shared/service-client.ts';
import { complaintOf, type S3Client } from './s3-client.ts';

export class S3Blobs implements BlobStore {
  readonly #client: S3Client;
  readonly #prefix: string;

  constructor(client: S3Client, { prefix }: { prefix: string }) {
    this.#client = client;
    this.#prefix = prefix;
  }

  async put(key: string, source: BlobSource): Promise<void> {
    const answer = await this.#client.send({ method: 'PUT', key: this.#prefix + key, body: source });
    if (answer.statusCode !== 200) throw await complaintOf(answer, 'an upload');
    answer.resume();
  }

  async open(key: string, range?: BlobRange): Promise<Readable | undefined> {
    const headers = range === undefined ? {} : { range: `bytes=${range.start}-${range.end}` };
    const answer = await this.#client.send({ method: 'GET', key: this.#prefix + key, headers });
    if (answer.statusCode === 404) {
      answer.resume();
      return undefined;
    }
    if (answer.statusCode !== (range === undefined ? 200 : 206)) throw await complaintOf(answer, 'a download');
    return answer;
  }

  async remove(key: string): Promise<void> {
    const answer = await this.#client.send({ method: 'DELETE', key: this.#prefix + key });
    if (answer.statusCode !== 204 && answer.statusCode !== 200 && answer.statusCode !== 404)
      throw await complaintOf(answer, 'a delete');
    answer.resume();
  }

  async *list(): AsyncGenerator<BlobEntry> {
    for (let after: string | undefined; ;) {
      const query = {
        'list-type': '2',
        prefix: this.#prefix,
        ...(after !== undefined && { 'continuation-token': after }),
      };
      const answer = await this.#client.send({ method: 'GET', key: '', query });
      if (answer.statusCode !== 200) throw await complaintOf(answer, 'a list');
      const text = await readText(answer);
      for (const [, object = ''] of text.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
        const key = field(object, 'Key').slice(this.#prefix.length);
        if (/^\w+$/.test(key)) yield { key, changedAt: Math.floor(Date.parse(field(object, 'LastModified')) / 1000) };
      }
      if (field(text, 'IsTruncated') !== 'true') return;
      after = unescape(field(text, 'NextContinuationToken'));
    }
  }
}

function field(xml: string, name: string): string {
  return new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? '';
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function unescape(text: string): string {
  return text.replaceAll(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => ENTITIES[name] ?? '');
}
