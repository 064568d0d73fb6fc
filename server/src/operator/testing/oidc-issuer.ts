// An OpenID Connect issuer over real HTTP, for tests: discovery, a page where one chooses who one is, codes with PKCE, signed
// tokens. Strict about everything a real one is strict about. Only tests import this folder.
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomLetters } from '../../shared/ids.ts';

export const CLIENT = { id: 'tollgate test', secret: 'secret of the client: 100%' };

export interface TestPerson {
  email?: string;
  email_verified?: unknown;
}

interface Options {
  /** What one can choose to be, by subject. */
  people: Record<string, TestPerson>;
  now?: () => number;
  /** A public client, which has no secret. */
  isPublic?: boolean;
}

interface Grant {
  person: string;
  parameters: URLSearchParams;
}

interface Key {
  kid: string;
  privateKey: KeyObject;
  jwk: object;
}

export interface GoodToken {
  privateKey: KeyObject;
  head: Record<string, unknown>;
  claims: Record<string, unknown>;
}

export class TestIssuer {
  /** May be changed by tests while it runs. */
  metadata: Record<string, unknown> = {};
  emailIn: 'token' | 'userinfo' = 'token';
  moreClaims: Record<string, unknown> = {};
  /** Leaves out `iss` when it sends a browser back (RFC 9207), as many do. */
  isSilentAboutItself = false;
  /** Makes another ID token than the good one. */
  forge: ((good: GoodToken) => string) | undefined;
  /** Published instead of its own. */
  keys: object[] | undefined;
  /** Path of every request. */
  readonly asked: string[] = [];
  url = '';
  readonly #options: Options;
  readonly #grants = new Map<string, Grant>();
  readonly #accessTokens = new Map<string, string>();
  #key: Key = makeKey();
  readonly #server = createServer((request, response) => {
    this.#answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });

  constructor(options: Options) {
    this.#options = options;
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, 'localhost', resolve));
    // By name, so that browsers see another site than the gateway's 127.0.0.1.
    this.url = `http://localhost:${(this.#server.address() as AddressInfo).port}`;
    this.metadata = {
      issuer: this.url,
      authorization_endpoint: `${this.url}/authorize?tenant=tests`,
      token_endpoint: `${this.url}/token`,
      jwks_uri: `${this.url}/keys`,
      userinfo_endpoint: `${this.url}/userinfo`,
    };
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** The old key signs no more and is published no more. */
  rotateKey(): void {
    this.#key = makeKey();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', this.url);
    this.asked.push(pathname);
    const json = (status: number, body: object): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (pathname.endsWith('/.well-known/openid-configuration')) json(200, this.metadata);
    else if (pathname === '/keys') json(200, { keys: this.keys ?? [{ ...this.#key.jwk, kid: this.#key.kid }] });
    else if (pathname === '/authorize') this.#showPeople(searchParams, response);
    else if (pathname === '/choose') this.#sendBack(searchParams, response);
    else if (pathname === '/token') {
      const { status, body } = this.#exchange(request, new URLSearchParams(await readText(request)));
      json(status, body);
    } else if (pathname === '/userinfo') {
      const person = this.#accessTokens.get(request.headers.authorization ?? '');
      if (person === undefined) json(401, { error: 'invalid_token' });
      else json(200, { sub: person, ...this.#options.people[person] });
    } else json(404, {});
  }

  #showPeople(parameters: URLSearchParams, response: ServerResponse): void {
    const given = parameters.toString().replaceAll('&', '&amp;');
    const links = [...Object.keys(this.#options.people), 'nobody'].map(
      (person) => `<p><a href="/choose?person=${person}&amp;${given}">I am ${person}</a></p>`,
    );
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(`<!doctype html><html lang="en"><title>Test issuer</title><h1>Who are you?</h1>${links.join('')}</html>`);
  }

  #sendBack(parameters: URLSearchParams, response: ServerResponse): void {
    const person = parameters.get('person') ?? '';
    const back = new URL(parameters.get('redirect_uri') ?? '');
    back.searchParams.set('state', parameters.get('state') ?? '');
    if (!this.isSilentAboutItself) back.searchParams.set('iss', this.url);
    const isWhole =
      parameters.get('tenant') === 'tests' &&
      parameters.get('response_type') === 'code' &&
      parameters.get('scope')?.split(' ').includes('openid') === true &&
      parameters.get('code_challenge_method') === 'S256' &&
      parameters.get('client_id') === CLIENT.id;
    if (!isWhole) back.searchParams.set('error', 'invalid_request');
    else if (this.#options.people[person] === undefined) back.searchParams.set('error', 'access_denied');
    else {
      const code = randomLetters(20);
      this.#grants.set(code, { person, parameters });
      back.searchParams.set('code', code);
    }
    response.writeHead(302, { location: back.href }).end();
  }

  #exchange({ method, headers }: IncomingMessage, form: URLSearchParams): { status: number; body: object } {
    if (method !== 'POST' || !this.#isClient(headers.authorization, form))
      return { status: 401, body: { error: 'invalid_client', error_description: 'unheard of' } };
    const grant = this.#grants.get(form.get('code') ?? '');
    this.#grants.delete(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const isGood =
      grant !== undefined &&
      form.get('grant_type') === 'authorization_code' &&
      grant.parameters.get('redirect_uri') === form.get('redirect_uri') &&
      grant.parameters.get('code_challenge') === challenge;
    if (!isGood) return { status: 400, body: { error: 'invalid_grant' } };
    const accessToken = randomLetters(20);
    this.#accessTokens.set(`Bearer ${accessToken}`, grant.person);
    return { status: 200, body: { token_type: 'Bearer', access_token: accessToken, id_token: this.#idToken(grant) } };
  }

  #isClient(authorization: string | undefined, form: URLSearchParams): boolean {
    if (this.#options.isPublic === true) return authorization === undefined && form.get('client_id') === CLIENT.id;
    const [id, secret] = Buffer.from(authorization?.replace('Basic ', '') ?? '', 'base64')
      .toString()
      .split(':');
    const decode = (text = ''): string => new URLSearchParams(`x=${text}`).get('x') ?? '';
    return decode(id) === CLIENT.id && decode(secret) === CLIENT.secret;
  }

  #idToken({ person, parameters }: Grant): string {
    const at = Math.floor((this.#options.now ?? Date.now)() / 1000);
    const good = {
      privateKey: this.#key.privateKey,
      head: { alg: 'RS256', kid: this.#key.kid },
      claims: {
        iss: this.url,
        sub: person,
        aud: CLIENT.id,
        iat: at,
        exp: at + 300,
        nonce: parameters.get('nonce'),
        ...(this.emailIn === 'token' && this.#options.people[person]),
        ...this.moreClaims,
      },
    };
    return this.forge === undefined ? signToken(good) : this.forge(good);
  }
}

export async function startTestIssuer(options: Options): Promise<TestIssuer> {
  const issuer = new TestIssuer(options);
  await issuer.start();
  return issuer;
}

/** By hand: a library would refuse to make most of what the tests want. */
export function signToken({ privateKey, head, claims }: GoodToken, signer?: (content: Buffer) => Buffer): string {
  const content = [head, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  const bytes = Buffer.from(content);
  return `${content}.${(signer?.(bytes) ?? sign('sha256', bytes, privateKey)).toString('base64url')}`;
}

function makeKey(): Key {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { kid: randomLetters(8), privateKey, jwk: publicKey.export({ format: 'jwk' }) };
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
