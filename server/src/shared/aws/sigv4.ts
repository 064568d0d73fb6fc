// Signs requests to AWS and to services that speak its signature, version 4:
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
import { createHash, createHmac } from 'node:crypto';

export interface AwsCredentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string | undefined;
}

export interface AwsScope {
  region: string;
  /** As AWS names it in signatures: `s3`, `bedrock`. */
  service: string;
}

export interface UnsignedRequest {
  method: string;
  /** With its query; the path as it goes over the wire. */
  url: URL;
  /** Headers that are signed beside `host`; names in lower case. */
  headers?: Readonly<Record<string, string>>;
  /** Hash of the body, or UNSIGNED. */
  payloadHash: string;
}

/** For bodies that are not hashed before they are sent; S3 takes it. */
export const UNSIGNED = 'UNSIGNED-PAYLOAD';

export function hashPayload(body: Buffer | string): string {
  return createHash('sha256').update(body).digest('hex');
}

/** The headers to be sent beside those that were given. */
export function signAws(
  request: UnsignedRequest,
  { scope, credentials, at }: { scope: AwsScope; credentials: AwsCredentials; at: Date },
): Record<string, string> {
  const time = at.toISOString().replaceAll(/[-:]|\.\d{3}/g, ''); // 20260102T030405Z
  const day = time.slice(0, 8);
  const added = {
    'x-amz-date': time,
    ...(scope.service === 's3' && { 'x-amz-content-sha256': request.payloadHash }),
    ...(credentials.sessionToken !== undefined && { 'x-amz-security-token': credentials.sessionToken }),
  };
  const signed = Object.entries({ ...request.headers, ...added, host: request.url.host }).sort(byName);
  const names = signed.map(([name]) => name).join(';');
  const canonical = [
    request.method,
    canonicalPath(request.url, scope),
    canonicalQuery(request.url),
    ...signed.map(([name, value]) => `${name}:${value.trim().replaceAll(/\s+/g, ' ')}`),
    '',
    names,
    request.payloadHash,
  ].join('\n');
  const credentialScope = `${day}/${scope.region}/${scope.service}/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', time, credentialScope, hashPayload(canonical)].join('\n');
  const key = [day, scope.region, scope.service, 'aws4_request'].reduce<string | Buffer>(
    (secret, part) => createHmac('sha256', secret).update(part).digest(),
    `AWS4${credentials.secretAccessKey}`,
  );
  const signature = createHmac('sha256', key).update(text).digest('hex');
  const authorization = `AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/${credentialScope}, SignedHeaders=${names}, Signature=${signature}`;
  return { ...added, authorization };
}

/** S3 signs the path as it is sent; every other service encodes it once more. */
function canonicalPath({ pathname }: URL, { service }: AwsScope): string {
  const path = pathname === '' ? '/' : pathname;
  return service === 's3' ? path : path.split('/').map(encodeRfc3986).join('/');
}

function canonicalQuery({ searchParams }: URL): string {
  return [...searchParams]
    .map(([name, value]): [string, string] => [encodeRfc3986(name), encodeRfc3986(value)])
    .sort((a, b) => byName(a, b) || (a[1] < b[1] ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

function byName([a]: [string, string], [b]: [string, string]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function encodeRfc3986(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
