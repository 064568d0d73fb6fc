// TOLLGATE_BLOBS: s3://bucket/prefix?endpoint=https://...&region=..., with credentials by the usual AWS variables.
import type { AwsCredentials } from '../../shared/aws/sigv4.ts';

export interface S3Address {
  bucket: string;
  /** '' or a path that ends with a slash. */
  prefix: string;
  region: string;
  /** Where the bucket is a folder of the path; undefined: the vendor's own host of the bucket. */
  endpoint: string | undefined;
  credentials: AwsCredentials;
}

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const PREFIX = /^[\w.-]+(?:\/[\w.-]+)*$/;
const REGION = /^[a-z0-9-]{1,40}$/;

export function readS3Address(
  text: string,
  variable: (name: string) => string | undefined,
  refuse: (sentence: string) => never,
): S3Address {
  const url = URL.parse(text);
  if (url?.protocol !== 's3:') return refuse('must be an address such as s3://bucket/prefix?region=eu-central-1.');
  const unknown = [...url.searchParams.keys()].find((name) => name !== 'endpoint' && name !== 'region');
  if (unknown !== undefined) refuse(`has the parameter "${unknown}"; only endpoint and region are known.`);
  if (!BUCKET.test(url.hostname)) refuse('names no bucket: s3://bucket/prefix.');
  const prefix = url.pathname.replaceAll(/^\/+|\/+$/g, '');
  if (prefix !== '' && !PREFIX.test(prefix))
    refuse('has a prefix with other characters than letters, digits, ".", "_", "-" and "/".');
  const region = url.searchParams.get('region') ?? variable('AWS_REGION') ?? 'us-east-1';
  if (!REGION.test(region)) refuse(`has a region that is none: "${region}".`);
  const endpoint = url.searchParams.get('endpoint') ?? undefined;
  const server = endpoint === undefined ? undefined : URL.parse(endpoint);
  if (
    server !== undefined &&
    (server === null || !['http:', 'https:'].includes(server.protocol) || server.search !== '')
  )
    refuse('has an endpoint that is no http or https address.');
  const [accessKeyId, secretAccessKey] = [variable('AWS_ACCESS_KEY_ID'), variable('AWS_SECRET_ACCESS_KEY')];
  if (accessKeyId === undefined || secretAccessKey === undefined)
    return refuse('needs credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.');
  return {
    bucket: url.hostname,
    prefix: prefix === '' ? '' : `${prefix}/`,
    region,
    endpoint: endpoint?.replace(/\/+$/, ''),
    credentials: { accessKeyId, secretAccessKey, sessionToken: variable('AWS_SESSION_TOKEN') },
  };
}
