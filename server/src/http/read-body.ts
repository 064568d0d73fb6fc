// Reads a JSON body: checked by its headers before the first byte, bounded while it comes, one buffer in the end.
import type { IncomingMessage } from 'node:http';
import { GatewayError } from '../errors/gateway-error.ts';
import { BufferedBody } from './bodies/buffered-body.ts';
import { BodyPace } from './body-pace.ts';

/** Rejects with the signal's reason when that fires first. */
export function readJsonBody(request: IncomingMessage, maxBytes: number, signal?: AbortSignal): Promise<Buffer> {
  const { 'content-type': type, 'content-encoding': encoding, 'content-length': length } = request.headers;
  if (!isJsonType(type)) throw new GatewayError('unsupported_media_type');
  if (encoding !== undefined && encoding !== 'identity') {
    throw new GatewayError('unsupported_media_type', {
      message: `The content encoding "${encoding.slice(0, 40)}" is not supported. Send the body uncompressed.`,
    });
  }
  const expected = length === undefined ? undefined : Number(length);
  if (expected !== undefined && expected > maxBytes) throw tooLarge(maxBytes);
  return collect(request, { expected, maxBytes, signal });
}

export function isJsonType(type: string | undefined): boolean {
  const essence = type?.split(';', 1)[0]?.trim().toLowerCase();
  return essence === 'application/json' || (essence?.startsWith('application/') === true && essence.endsWith('+json'));
}

function tooLarge(maxBytes: number): GatewayError {
  return new GatewayError('body_too_large', {
    message: `The request body is larger than ${maxBytes / (1024 * 1024)} MB.`,
  });
}

interface Bounds {
  expected: number | undefined;
  maxBytes: number;
  signal: AbortSignal | undefined;
}

function collect(request: IncomingMessage, { expected, maxBytes, signal }: Bounds): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (request.destroyed) throw new GatewayError('client_gone'); // it left while its token was looked up
    const body = new BufferedBody(expected);
    const pace = new BodyPace(expected, () => finish(new GatewayError('request_timeout')));
    const finish = (error: GatewayError | undefined): void => {
      pace.stop();
      request.off('data', onData).off('end', onEnd).off('close', onClose);
      if (error !== undefined) return reject(error);
      resolve(body.take());
    };
    const onData = (chunk: Buffer): void => {
      const { length } = chunk;
      if (body.bytes + length > maxBytes) return finish(tooLarge(maxBytes));
      body.add(chunk);
      pace.came(length);
    };
    const onEnd = (): void => finish(undefined);
    const onClose = (): void => finish(new GatewayError('client_gone'));
    signal?.addEventListener('abort', () => finish(signal.reason as GatewayError), { once: true });
    request.on('data', onData).on('end', onEnd).on('close', onClose);
  });
}
