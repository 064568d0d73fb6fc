// Exports into an S3-compatible bucket, under the names that a folder would have. An object replaces the one of the same name,
// so a batch that is written again is there once.
import { Readable } from 'node:stream';
import { complaintOf, type S3Client } from '../files/s3/s3-client.ts';
import { filesOf } from './batch-files.ts';
import type { ExportBatch, ExportSink } from './sink.ts';

export class S3Sink implements ExportSink {
  readonly name: string;
  readonly #prefix: string;
  readonly #client: S3Client;

  constructor({ name, prefix }: { name: string; prefix: string }, client: S3Client) {
    this.name = name;
    this.#prefix = prefix;
    this.#client = client;
  }

  /** A list of at most one object: the bucket is there, and the keys open it. */
  async check(): Promise<void> {
    const query = { 'list-type': '2', 'max-keys': '1', prefix: this.#prefix };
    const answer = await this.#client.send({ method: 'GET', key: '', query });
    if (answer.statusCode !== 200) throw await complaintOf(answer, 'a list');
    answer.resume();
  }

  prepare(): Promise<void> {
    return this.check();
  }

  async write(batch: ExportBatch): Promise<void> {
    for await (const { path, bytes } of filesOf(batch)) {
      // Encoded, as the signature has it: the path is signed as it is sent.
      const body = { length: bytes.length, open: () => Readable.from([bytes]) };
      const answer = await this.#client.send({
        method: 'PUT',
        key: this.#prefix + path.map(encodeURIComponent).join('/'),
        body,
      });
      if (answer.statusCode !== 200) throw await complaintOf(answer, 'an upload');
      answer.resume();
    }
  }

  close(): void {
    this.#client.close();
  }
}
