// Reads a multipart form: its head decides before the first byte, its bytes go to the spool while the scanner notes where
// the parts are. When it fails, nothing of it is left.
import type { IncomingMessage } from 'node:http';
import { GatewayError, invalidRequest } from '../../errors/gateway-error.ts';
import type { Form } from '../../neutral/form.ts';
import { freeUnshared } from '../../shared/runtime/counted-bytes.ts';
import { BodyPace } from '../body-pace.ts';
import type { PublicRequest } from '../public-exchange.ts';
import { FormScanner, type ScanLimits, type ScannedPart } from './form-scanner.ts';
import { readFormType } from './headers/form-type.ts';
import { Spool } from './spool.ts';
import { SpooledForm } from './spooled-form.ts';
import { isAscii, isUtf8 } from 'node:buffer';
import { quoteStart } from './headers/header-parameters.ts';
import type { Alphabet } from './headers/part-type.ts';

const CANNOT_SPOOL = 'The gateway cannot save this upload: its disk is full or cannot be written. Retry later.';

export interface FormLimits extends ScanLimits {
  maxBytes: number;
  spoolFolder: string;
  /** Bodies up to this size stay in memory. */
  memoryBytes: number;
  /** The caller could have sent JSON as well, which the refusal of another content type says. */
  orJson?: true | undefined;
}

const MIB = 1024 * 1024;
export const usualFormLimits = { memoryBytes: MIB, maxParts: 100, maxFieldBytes: MIB, maxHeaderBytes: 8 * 1024 };

export async function readForm(request: PublicRequest, limits: FormLimits): Promise<Form> {
  const { 'content-type': type = '', 'content-encoding': encoding, 'content-length': length } = request.headers;
  const { boundary, alphabet } = readFormType(type, limits.orJson);
  if ('body' in request) throw new GatewayError('unsupported_media_type'); // those are JSON
  if (encoding !== undefined && encoding !== 'identity')
    throw new GatewayError('unsupported_media_type', {
      message: `The content encoding "${encoding.slice(0, 40)}" is not supported. Send the body uncompressed.`,
    });
  const expected = length === undefined ? undefined : Number(length);
  if (expected !== undefined && expected > limits.maxBytes) throw tooLarge(limits.maxBytes);
  const scanner = new FormScanner(boundary, limits);
  const spool = new Spool(limits.spoolFolder, limits.memoryBytes);
  try {
    await receive(request, { scanner, spool, expected, maxBytes: limits.maxBytes });
    scanner.finish();
    const { parts } = scanner;
    await checkTexts(parts, spool, alphabet);
    return new SpooledForm({ parts, maxFieldBytes: limits.maxFieldBytes, spool });
  } catch (error) {
    await spool.discard();
    throw error;
  }
}

function tooLarge(maxBytes: number): GatewayError {
  return new GatewayError('body_too_large', { message: `The request body is larger than ${maxBytes / MIB} MB.` });
}

interface Receiving {
  scanner: FormScanner;
  spool: Spool;
  expected: number | undefined;
  maxBytes: number;
}

function receive(request: IncomingMessage, { scanner, spool, expected, maxBytes }: Receiving): Promise<void> {
  return new Promise((resolve, reject) => {
    if (request.destroyed) throw new GatewayError('client_gone'); // it left while its token was looked up
    let bytes = 0;
    let written: Promise<void> | undefined;
    const pace = new BodyPace(expected, () => finish(new GatewayError('request_timeout')));
    const finish = (error?: unknown): void => {
      pace.stop();
      request.off('data', onData).off('end', onEnd).off('close', onClose);
      if (error === undefined) resolve();
      else reject(error);
    };
    const take = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes > maxBytes) throw tooLarge(maxBytes);
      pace.came(chunk.length);
      scanner.push(chunk);
      written = spool.write(chunk);
      if (written === undefined) return freeUnshared(chunk);
      request.pause();
      pace.hold();
      written.then(
        () => {
          freeUnshared(chunk);
          pace.release();
          request.resume();
        },
        (cause: unknown) => finish(new GatewayError('overloaded', { message: CANNOT_SPOOL, cause })),
      );
    };
    const onData = (chunk: Buffer): void => {
      try {
        take(chunk);
      } catch (error) {
        finish(error);
      }
    };
    const onEnd = (): void => {
      if (written === undefined) return finish();
      request.off('close', onClose); // a pause does not hold the end back: the last bytes may not be on the disk yet
      written.then(finish, () => {});
    };
    const onClose = (): void => finish(new GatewayError('client_gone'));
    request.on('data', onData).on('end', onEnd).on('close', onClose);
  });
}

// The texts of a form are UTF-8: bytes that are not would be one value here and another to an upstream that leaves them out.
const PIECE_BYTES = 128 * 1024;
const LONGEST_CHARACTER = 4;

/** `usual` is the alphabet of texts that name none. */
async function checkTexts(parts: readonly ScannedPart[], spool: Spool, usual: Alphabet): Promise<void> {
  for (const part of parts) {
    if (part.filename !== undefined) continue;
    const { name, alphabet = usual } = part;
    if (await isWritten(alphabet, part, spool)) continue;
    throw invalidRequest(
      alphabet === 'ascii'
        ? `The field ${quoteStart(name)} has other characters than ASCII in a charset that is not UTF-8. Send UTF-8.`
        : `The field ${quoteStart(name)} is not valid UTF-8.`,
      name,
    );
  }
}

/** In pieces: a picture as text may be as large as a file. */
async function isWritten(alphabet: Alphabet, { valueStart, valueEnd }: ScannedPart, spool: Spool): Promise<boolean> {
  for (let start = valueStart; start < valueEnd;) {
    const bytes = await spool.read(start, Math.min(valueEnd, start + PIECE_BYTES));
    const end = start + bytes.length < valueEnd ? lastCharacterStart(bytes) : bytes.length;
    if (alphabet === 'ascii' ? !isAscii(bytes) : !isUtf8(bytes.subarray(0, end))) return false;
    start += end;
  }
  return true;
}

/** Where a piece may be cut: before the last byte that begins a character; near its end, if it is UTF-8 at all. */
function lastCharacterStart(bytes: Buffer): number {
  let at = bytes.length - 1;
  while (at > bytes.length - LONGEST_CHARACTER && ((bytes[at] ?? 0) & 0xc0) === 0x80) at--;
  return at;
}
