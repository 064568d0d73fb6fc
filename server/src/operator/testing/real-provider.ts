// A certified OpenID provider (the oidc-provider package) over real HTTP, whose people sign in without a page. Only tests
// import this folder.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import { type Context, type Grant, Provider } from 'oidc-provider';
import { CLIENT, type TestPerson } from './oidc-issuer.ts';

interface RealProvider {
  url: string;
  /** Goes through the sign-in there as that person; where the browser is sent in the end. */
  signIn(address: URL, person: string): Promise<URL>;
  stop(): Promise<void>;
}

interface Settings {
  people: Record<string, TestPerson>;
  redirectUri: string;
  authMethod: 'client_secret_basic' | 'client_secret_post' | 'none';
  algorithm: 'RS256' | 'ES256' | 'PS256';
}

const MOST_STEPS = 10;

export async function startRealProvider(settings: Settings): Promise<RealProvider> {
  const { people, redirectUri, authMethod, algorithm } = settings;
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true });
  const key = { ...(await exportJWK(privateKey)), alg: algorithm, use: 'sig', kid: 'key-1' };
  let handle: (request: IncomingMessage, response: ServerResponse) => Promise<void> = async () => {};
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(url, {
    clients: [
      {
        client_id: CLIENT.id,
        ...(authMethod !== 'none' && { client_secret: CLIENT.secret }),
        token_endpoint_auth_method: authMethod,
        redirect_uris: [redirectUri],
        id_token_signed_response_alg: algorithm,
      },
    ],
    clientAuthMethods: [authMethod],
    jwks: { keys: [key] },
    cookies: { keys: ['a key of the tests'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: async (_context: unknown, id: string) => ({
      accountId: id,
      claims: async () => ({ sub: id, ...people[id] }),
    }),
    loadExistingGrant: grantAll,
  });
  const serve = provider.callback();
  handle = async (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return serve(request, response);
    const accountId = request.headers['x-person'];
    const isDenied = accountId === 'nobody';
    const result = isDenied ? { error: 'access_denied', error_description: 'no' } : { login: { accountId } };
    return provider.interactionFinished(request, response, result);
  };
  return {
    url,
    signIn: (address, person) => followTo(address, { person, redirectUri }),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function grantAll({ oidc: { client, session, provider } }: Context): Promise<Grant> {
  const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
  grant.addOIDCScope('openid email');
  await grant.save();
  return grant;
}

/** As a browser would: redirects and cookies. */
async function followTo(address: URL, { person, redirectUri }: { person: string; redirectUri: string }): Promise<URL> {
  const cookies = new Map<string, string>();
  let next = address;
  for (let step = 0; step < MOST_STEPS; step++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(next, { redirect: 'manual', headers: { cookie, 'x-person': person } });
    for (const line of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=');
      cookies.set(name, value);
    }
    const location = answer.headers.get('location');
    if (location === null) throw new Error(`status ${answer.status} at ${next.href}: ${await answer.text()}`);
    next = new URL(location, next);
    if (next.href.startsWith(redirectUri)) return next;
  }
  throw new Error(`no end of redirects at ${next.href}`);
}
