// Credentials of AWS: a bearer key, or an access key with its secret, which sign every request (`ACCESS_KEY:SECRET`, with a
// session token `ACCESS_KEY:SECRET:SESSION`).
import { createHash } from 'node:crypto';
import { type AwsCredentials, signAws } from '../../shared/aws/sigv4.ts';
import { UpstreamError } from '../upstream-error.ts';
import { bearer } from './api-key.ts';
import { bytesOf, type Sign, type UnsignedRequest } from './sign.ts';

/** undefined for a bearer key. */
function readAws(credential: string): AwsCredentials | undefined {
  const [accessKeyId = '', secretAccessKey, ...rest] = credential.split(':');
  if (secretAccessKey === undefined) return undefined;
  return { accessKeyId, secretAccessKey, ...(rest.length > 0 && { sessionToken: rest.join(':') }) };
}

export function problemWithAws(credential: string): string | undefined {
  const read = readAws(credential);
  if (read === undefined) return undefined;
  const isWhole = read.accessKeyId !== '' && read.secretAccessKey !== '' && read.sessionToken !== '';
  return isWhole ? undefined : 'it is not ACCESS_KEY:SECRET or ACCESS_KEY:SECRET:SESSION';
}

/** `regionOf` finds the region in the host of an address. */
export function signForAws(service: string, regionOf: (baseUrl: string) => string | undefined): Sign {
  return (request, credential, clock, settings) => {
    const credentials = readAws(credential);
    if (credentials === undefined) return bearer(request, credential, clock, settings);
    const region = settings.options.region ?? regionOf(settings.baseUrl);
    if (region === undefined)
      throw new UpstreamError('unauthorised', 'the region is not known: set "options.region" of the channel');
    const url = new URL(request.origin + request.path);
    const payloadHash = hashOf(request);
    return signAws(
      { method: request.method, url, payloadHash },
      { scope: { region, service }, credentials, at: new Date(clock.now()) },
    );
  };
}

function hashOf({ body }: UnsignedRequest): string {
  const pieces = bytesOf(body);
  if (pieces === undefined) throw new UpstreamError('malformed', 'the body is too large to be signed');
  const hash = createHash('sha256');
  for (const piece of pieces) hash.update(piece);
  return hash.digest('hex');
}
