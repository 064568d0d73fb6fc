// Who calls Bedrock: a bearer key, or a signature of version 4. Every access key has the secret `sandbox-secret`.
import { hashPayload, signAws } from '../../shared/aws/sigv4.ts';
import { judgeKey, readBearer } from '../http/keys.ts';
import type { Caller } from '../protocol.ts';
import { type Failure, Refusal } from '../refusal.ts';
import { keyFailures } from './error.ts';

const sandboxSecret = 'sandbox-secret';
const oldestMs = 300_000;
const credentialForm =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/;

export function authenticate(caller: Caller): string {
  const { authorization = '' } = caller.head.headers;
  if (!authorization.startsWith('AWS4-')) return judgeKey(readBearer(caller.head), keyFailures);
  return checkSignature(caller, authorization);
}

function checkSignature({ head, method, url, bytes, now }: Caller, authorization: string): string {
  const [, accessKeyId = '', , region = '', service = '', names = '', signature] =
    credentialForm.exec(authorization) ?? [];
  if (signature === undefined) refuse('IncompleteSignatureException', 'Authorization header is not complete.', 400);
  const header = (name: string): string => String(head.headers[name] ?? '');
  const date = header('x-amz-date');
  const at = readDate(date);
  if (service !== 'bedrock')
    refuse('InvalidSignatureException', "Credential should be scoped to correct service: 'bedrock'. ");
  if (at === undefined || Math.abs(now - at.getTime()) > oldestMs)
    refuse('InvalidSignatureException', `Signature expired: ${date} is now earlier than the time allowed`);
  const sessionToken = head.headers['x-amz-security-token'] === undefined ? undefined : header('x-amz-security-token');
  if (sessionToken?.startsWith('expired'))
    refuse('ExpiredTokenException', 'The security token included in the request is expired');
  const own = new Set(['host', 'x-amz-date', 'x-amz-security-token']);
  const signed = names.split(';').filter((name) => !own.has(name));
  const expected = signAws(
    {
      method,
      url: new URL(`http://${header('host')}${url}`),
      headers: Object.fromEntries(signed.map((name) => [name, header(name)])),
      payloadHash: hashPayload(bytes),
    },
    { scope: { region, service }, credentials: { accessKeyId, secretAccessKey: sandboxSecret, sessionToken }, at },
  );
  if (!expected['authorization']?.endsWith(`Signature=${signature}`))
    refuse(
      'InvalidSignatureException',
      'The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for details.',
    );
  return judgeKey(accessKeyId, keyFailures);
}

function readDate(text: string): Date | undefined {
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text) ?? [];
  return year === undefined ? undefined : new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}

function refuse(code: string, message: string, status = 403): never {
  throw new Refusal({ status, code, message } satisfies Failure);
}
