// How a request proves whose it is: the last step before it is sent, which sees all of it and the time.
import type { Clock } from '../../shared/clock.ts';
import type { UpstreamClient } from '../call-upstream.ts';
import type { UpstreamRequest } from '../upstream-request.ts';
import type { UpstreamSettings } from '../upstream-settings.ts';

export type SignedHeaders = Readonly<Record<string, string>>;

/** As it will be sent, but for the headers that the signature adds. `path` holds the query. */
export type UnsignedRequest = Readonly<Pick<UpstreamRequest, 'method' | 'origin' | 'path' | 'headers' | 'body'>>;

/** Where it goes, and the client by which tokens are fetched; absent where none can be. */
export interface SigningSettings extends Omit<UpstreamSettings, 'credential'> {
  client?: UpstreamClient | undefined;
}

/**
 * The headers that carry the credential, or a promise of them where a token has to be fetched first. The credential is
 * `''` for a channel without keys. What it throws means that the request was not sent.
 */
export type Sign = (
  request: UnsignedRequest,
  credential: string,
  clock: Clock,
  settings: SigningSettings,
) => SignedHeaders | Promise<SignedHeaders>;

/** The upstream answered 401: forgets the token that was sent. True when the next `sign` fetches another one. */
export type Forget = (credential: string, settings: SigningSettings, sent: SignedHeaders) => boolean;

/** The bytes of a body, for signatures that cover them; undefined where they are read from a file as they are sent. */
export function bytesOf(body: UpstreamRequest['body']): readonly Buffer[] | undefined {
  if (body === null) return [];
  if (Buffer.isBuffer(body)) return [body];
  const opened = body.open();
  return Symbol.asyncIterator in opened ? undefined : opened;
}
