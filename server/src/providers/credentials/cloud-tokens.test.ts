// Tokens of clouds from the credential to the wire: fetched over real HTTP, sent, renewed after a 401, seen by nobody.
import assert from 'node:assert/strict';
import { generateKeyPairSync, verify } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { azure } from '../azure/provider.ts';
import { buildUpstreamRequest } from '../build-request.ts';
import { UpstreamClient } from '../call-upstream.ts';
import type { UpstreamRequest } from '../upstream-request.ts';
import { UpstreamError } from '../upstream-error.ts';
import { serviceAccountOrKey as google } from './google-service-account.ts';
import type { Forget, Sign } from './sign.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const LIMITS = { connectMs: 2_000, firstByteMs: 5_000, idleMs: 5_000 };

interface Seen {
  path: string;
  authorization: string | undefined;
  body: string;
}

interface Cloud {
  seen: Seen[];
  origin: string;
  /** Tokens that calls are answered with 401 for. */
  refused: Set<string>;
  tokenStatus: number;
}

async function startCloud(t: TestContext): Promise<Cloud> {
  let given = 0;
  const cloud: Cloud = { seen: [], origin: '', refused: new Set(), tokenStatus: 200 };
  const server = createServer((request: IncomingMessage, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const { authorization } = request.headers;
      const body = Buffer.concat(pieces).toString();
      cloud.seen.push({ path: request.url ?? '', authorization, body });
      if (request.url === '/token') {
        const token = `token-number-${++given}-${cloud.origin.slice(-5)}`;
        const error = { error: 'invalid_client', error_description: `no: ${body}` };
        const answer = cloud.tokenStatus === 200 ? { access_token: token, expires_in: 3600 } : error;
        response.writeHead(cloud.tokenStatus, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
      } else {
        const isRefused = cloud.refused.has(authorization?.replace('Bearer ', '') ?? '');
        response.writeHead(isRefused ? 401 : 200).end(`you sent ${authorization}`);
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close().closeAllConnections());
  cloud.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return cloud;
}

function makeCaller(t: TestContext, cloud: Cloud, provider: { sign: Sign; forget?: Forget }, secret: string) {
  const client = new UpstreamClient();
  t.after(() => client.close());
  const options = { ...LIMITS, tokenUrl: `${cloud.origin}/token` };
  const access = { channel: { facts: { baseUrl: cloud.origin, headers: {}, options } }, key: { secret } };
  return async (): Promise<{ status: number; text: string }> => {
    const plan = { method: 'POST', path: '/call', headers: {}, body: Buffer.from('{}'), mask: undefined } as const;
    const request: UpstreamRequest = await buildUpstreamRequest(provider, access, { ...plan, client });
    return new Promise((resolve, reject) => {
      let status = 0;
      let text = '';
      client.call(request, {
        onStart: (started) => (status = started),
        onData: (piece) => (text += piece.toString()),
        onEnd: () => resolve({ status, text }),
        onFail: reject,
      });
    });
  };
}

const paths = ({ seen }: Cloud): string[] => seen.map(({ path }) => path);
const entra = (secret: string): string =>
  JSON.stringify({ tenant_id: 'tenant', client_id: 'client', client_secret: secret });
const account = (): string =>
  JSON.stringify({
    type: 'service_account',
    project_id: 'p',
    private_key_id: 'key-1',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    client_email: 'a@p.iam.gserviceaccount.com',
    token_uri: 'http://169.254.169.254/steal',
  });

test('azure: one token of Entra ID serves all calls, and is hidden in what comes back (contract-2 9)', async (t) => {
  const cloud = await startCloud(t);
  const call = makeCaller(t, cloud, azure, entra('the-client-secret-1'));
  const answers = await Promise.all([call(), call(), call()]);
  assert.deepEqual(paths(cloud).filter((path) => path === '/token').length, 1);
  const form = new URLSearchParams(cloud.seen[0]?.body);
  assert.deepEqual(
    [form.get('grant_type'), form.get('client_id'), form.get('client_secret'), form.get('scope')],
    ['client_credentials', 'client', 'the-client-secret-1', 'https://cognitiveservices.azure.com/.default'],
  );
  assert.match(cloud.seen.at(-1)?.authorization ?? '', /^Bearer token-number-1-/);
  for (const { text } of answers) assert.match(text, /^you sent Bearer \*+$/);
});

test('azure: a plain key is sent as api-key, and a 401 for it is passed on', async (t) => {
  const cloud = await startCloud(t);
  cloud.refused.add('');
  const { status } = await makeCaller(t, cloud, azure, 'plain-key-1')();
  assert.deepEqual([status, paths(cloud)], [401, ['/call']]);
});

test('a token that is refused before its end is renewed once, and the call is sent again with it (contract-2 9)', async (t) => {
  const cloud = await startCloud(t);
  const call = makeCaller(t, cloud, google, account());
  await call();
  cloud.refused.add(cloud.seen.at(-1)?.authorization?.replace('Bearer ', '') ?? '');
  const answers = await Promise.all([call(), call()]);
  for (const { status, text } of answers) assert.deepEqual([status, /^you sent Bearer \*+$/.test(text)], [200, true]);
  assert.equal(paths(cloud).filter((path) => path === '/token').length, 2);
});

test('a second 401 is the answer: nobody is asked for tokens without end (contract-2 9)', async (t) => {
  const cloud = await startCloud(t);
  for (let number = 1; number < 9; number++) cloud.refused.add(`token-number-${number}-${cloud.origin.slice(-5)}`);
  const { status } = await makeCaller(t, cloud, azure, entra('the-client-secret-2'))();
  assert.deepEqual([status, paths(cloud)], [401, ['/token', '/call', '/token', '/call']]);
});

test('a service account signs what it asks with, and the address in its file is never asked (contract-2 9)', async (t) => {
  const cloud = await startCloud(t);
  await makeCaller(t, cloud, google, account().replace('key-1', 'key-2'))();
  const form = new URLSearchParams(cloud.seen[0]?.body);
  assert.equal(form.get('grant_type'), 'urn:ietf:params:oauth:grant-type:jwt-bearer');
  const [head = '', claims = '', signature = ''] = (form.get('assertion') ?? '').split('.');
  assert.ok(verify('RSA-SHA256', Buffer.from(`${head}.${claims}`), publicKey, Buffer.from(signature, 'base64url')));
  const parsed = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, number | string>;
  assert.deepEqual(
    [parsed['iss'], parsed['aud'], Number(parsed['exp']) - Number(parsed['iat'])],
    ['a@p.iam.gserviceaccount.com', 'https://oauth2.googleapis.com/token', 3600],
  );
  assert.deepEqual(JSON.parse(Buffer.from(head, 'base64url').toString()), { alg: 'RS256', typ: 'JWT', kid: 'key-2' });
});

test('a credential that is refused is an unauthorised key, a vendor that is away is not, and no error shows a secret', async (t) => {
  const cloud = await startCloud(t);
  const call = makeCaller(t, cloud, azure, entra('the-client-secret-3'));
  for (const [status, wanted] of [
    [401, 'unauthorised'],
    [400, 'unauthorised'],
    [429, 'limited'],
    [503, 'overloaded'],
  ] as const) {
    cloud.tokenStatus = status;
    const error = await call().then(
      () => assert.fail('answered'),
      (failure: unknown) => failure,
    );
    assert.ok(error instanceof UpstreamError);
    assert.deepEqual([error.errorClass, error.facts.notSent], [wanted, true]);
    assert.match(error.message, /invalid_client/);
    assert.doesNotMatch(error.message, /the-client-secret/);
  }
});

test('credentials that can never be used are named before they are stored', () => {
  assert.equal(azure.checkCredential?.('plain'), undefined);
  assert.equal(azure.checkCredential?.(entra('s')), undefined);
  assert.match(azure.checkCredential?.('{"tenant_id":"t"}') ?? '', /"client_id"/);
  assert.match(azure.checkCredential?.('{"tenant_id"') ?? '', /not JSON/);
  assert.match(azure.checkCredential?.('{"tenant_id":"../x","client_id":"c","client_secret":"s"}') ?? '', /tenant_id/);
});
