// Readers of forms that upstreams on Node use: busboy, multer and formidable, each on the very bytes that came.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import { Readable, Writable } from 'node:stream';
import { type FormView, orderView, ViewBuilder } from './form-view.ts';

export type Reader = (contentType: string, body: Buffer) => Promise<FormView>;

// Only what is used here is typed: none of them brings types.
const require = createRequire(import.meta.url);
interface Busboy {
  on(event: 'field', listener: (field: string, value: string) => void): this;
  on(event: 'file', listener: (field: string, file: Readable) => void): this;
  on(event: 'error', listener: (error: Error) => void): this;
  on(event: 'close', listener: () => void): this;
  end(bytes: Buffer): void;
}
const makeBusboy = require('busboy') as (options: { headers: IncomingHttpHeaders; defParamCharset: string }) => Busboy;
interface MulterRequest extends IncomingMessage {
  body?: Record<string, unknown>;
  files?: { fieldname: string; buffer: Buffer }[];
}
const multer = require('multer') as {
  (options: { storage: unknown; defParamCharset: string }): {
    any(): (request: MulterRequest, response: unknown, next: (error?: unknown) => void) => void;
  };
  memoryStorage(): unknown;
};
const { formidable } = require('formidable') as {
  formidable(options: object): {
    parse(request: IncomingMessage): Promise<[Record<string, string[]>, object]>;
  };
};

/** A request as these readers take it: headers and a stream of bytes. */
function requestOf(contentType: string, body: Buffer): MulterRequest {
  const headers = { 'content-type': contentType, 'content-length': String(body.length) };
  return Object.assign(Readable.from([body], { objectMode: false }), { headers }) as unknown as MulterRequest;
}

const readByBusboy: Reader = (contentType, body) =>
  new Promise((resolve, reject) => {
    const view = new ViewBuilder();
    const { headers } = requestOf(contentType, body);
    const parser = makeBusboy({ headers, defParamCharset: 'utf8' });
    parser.on('field', (field, value) => view.addText(field, value));
    parser.on('file', (field, file) => {
      const pieces: Buffer[] = [];
      file.on('data', (piece: Buffer) => void pieces.push(piece));
      file.on('end', () => view.addFile(field, Buffer.concat(pieces)));
      file.on('error', reject);
    });
    parser.on('error', reject);
    parser.on('close', () => resolve(view.finish()));
    parser.end(body);
  });

/** It puts names with brackets together, as `byBase` does. */
const readByMulter: Reader = (contentType, body) =>
  new Promise((resolve, reject) => {
    const request = requestOf(contentType, body);
    const read = multer({ storage: multer.memoryStorage(), defParamCharset: 'utf8' }).any();
    read(request, {}, (error) => {
      if (error !== undefined && error !== null) return reject(error);
      const view = new ViewBuilder();
      for (const [field, value] of Object.entries(request.body ?? {}))
        for (const text of textsIn(value)) view.addText(field, text);
      for (const { fieldname, buffer } of request.files ?? []) view.addFile(fieldname, buffer);
      resolve(byBase(view.finish()));
    });
  });

/** A list with gaps has nothing in them. */
function textsIn(value: unknown): string[] {
  return typeof value === 'string' ? [value] : Object.values(value ?? {}).flatMap(textsIn);
}

const readByFormidable: Reader = async (contentType, body) => {
  const files: [string, Buffer[]][] = [];
  const form = formidable({
    allowEmptyFiles: true,
    minFileSize: 0,
    maxFileSize: 100_000_000,
    fileWriteStreamHandler: () => {
      const pieces: Buffer[] = [];
      files.push(['', pieces]);
      return new Writable({
        write(piece: Buffer, _encoding, done) {
          pieces.push(Buffer.from(piece));
          done();
        },
      });
    },
    filter: ({ name }: { name: string }) => {
      names.push(name);
      return true;
    },
  });
  const names: string[] = [];
  const [fields] = await form.parse(requestOf(contentType, body));
  const view = new ViewBuilder();
  for (const [index, [, pieces]] of files.entries()) view.addFile(names[index] ?? '', Buffer.concat(pieces));
  for (const [field, values] of Object.entries(fields)) for (const value of values) view.addText(field, value);
  return view.finish();
};

export const nodeReaders: Readonly<Record<string, Reader>> = {
  busboy: readByBusboy,
  multer: readByMulter,
  formidable: readByFormidable,
};

/** With `a[]` and `a[x]` put together as `a`. */
export function byBase({ fields, files }: FormView): FormView {
  const bases = new Map<string, string[]>();
  for (const [name, values] of Object.entries(fields)) {
    const [base = ''] = name.split('[', 1);
    bases.set(base, [...(bases.get(base) ?? []), ...values].sort());
  }
  return orderView({ files, fields: Object.fromEntries(bases) });
}
