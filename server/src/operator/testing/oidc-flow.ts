// A gateway, an issuer and a browser between them, for tests of signing in. Only tests import this folder.
import assert from 'node:assert/strict';
import { GuardedClient } from '../../providers/guarded/guarded-client.ts';
import type { Store } from '../../store/store.ts';
import type { OidcDependencies } from '../dependencies.ts';
import { Issuer } from '../sign-in/oidc/issuer/issuer.ts';
import type { IssuerClient } from '../sign-in/oidc/issuer/issuer-fetch.ts';
import type { OidcSettings } from '../sign-in/oidc/oidc-settings.ts';
import { type Answer, makeOperatorApp, type OperatorTestApp, START } from './operator-app.ts';
import { CLIENT, startTestIssuer, type TestIssuer } from './oidc-issuer.ts';

export const PEOPLE = {
  ann: { email: 'Ann@Example.com', email_verified: true },
  bob: { email: 'bob@example.com', email_verified: true },
  eve: { email: 'eve@evil.example', email_verified: true },
  unverified: { email: 'ann@example.com', email_verified: false },
  silent: { email: 'ann@example.com' },
  unknown: {},
};
const people = { admins: ['ann@example.com'], viewers: ['*@example.com'] };

export interface OidcWorld {
  issuer: TestIssuer;
  client: GuardedClient;
  clock: { now(): number; move(seconds: number): void };
  stop(): Promise<void>;
}

export async function startOidcWorld({ isPublic = false, now: start = START } = {}): Promise<OidcWorld> {
  let now = start;
  const clock = { now: () => now, move: (seconds: number) => void (now += seconds * 1000) };
  const issuer = await startTestIssuer({ people: PEOPLE, now: clock.now, isPublic });
  const client = new GuardedClient({ privateHosts: [] });
  const stop = async (): Promise<void> => {
    await issuer.stop();
    await client.close();
  };
  return { issuer, client, clock, stop };
}

export interface Flow extends OperatorTestApp {
  failures: [reason: string, sentence: string][];
  /** The way to the issuer: what the gateway keeps in the browser, and where it sends it. */
  begin(query?: string, headers?: Record<string, string>): Promise<{ cookie: string; address: URL }>;
  /** What the person does there, and the way back. */
  comeBack(person: string, begun: { cookie: string; address: URL }): Promise<Answer>;
  /** All of it. */
  signIn(person: string): Promise<Answer>;
}

type IssuerOptions = Partial<OidcSettings> & { publicUrl?: string; client?: IssuerClient };

/** The issuer as the gateway knows it. */
export function knowIssuer(
  world: OidcWorld,
  { publicUrl, client = world.client, ...more }: IssuerOptions = {},
): { oidc: OidcDependencies; failures: Flow['failures'] } {
  const failures: Flow['failures'] = [];
  const { id: clientId, secret: clientSecret } = CLIENT;
  const { issuer, clock } = world;
  const settings = {
    issuer: issuer.url,
    clientId,
    clientSecret,
    name: 'Example',
    people,
    portal: true,
    tenants: [],
    ...more,
  };
  const oidc: OidcDependencies = {
    issuer: new Issuer({ settings, client, clock }),
    publicUrl,
    onFailure: (_who, reason, error) => void failures.push([reason, (error as Error).message]),
  };
  return { oidc, failures };
}

export async function withIssuer(world: OidcWorld, store: Store, options: IssuerOptions = {}): Promise<Flow> {
  const { oidc, failures } = knowIssuer(world, options);
  const app = await makeOperatorApp(store, { oidc, clock: world.clock });
  const begin: Flow['begin'] = async (query = '', headers = {}) => {
    const answer = await app.bare('GET', `/session/oidc/start${query}`, undefined, headers);
    assert.equal(answer.status, 302);
    const cookie = String(answer.headers['set-cookie']).split(';')[0] ?? '';
    return { cookie, address: new URL(String(answer.headers['location'])) };
  };
  const comeBack: Flow['comeBack'] = async (person, { cookie, address }) => {
    const chosen = new URL(address);
    chosen.pathname = '/choose';
    chosen.searchParams.set('person', person);
    const sent = await fetch(chosen, { redirect: 'manual' });
    const { search } = new URL(sent.headers.get('location') ?? '');
    return app.bare('GET', `/session/oidc/callback${search}`, undefined, { cookie });
  };
  return { ...app, failures, begin, comeBack, signIn: async (person) => comeBack(person, await begin()) };
}

export function sessionOf(answer: Answer): string | undefined {
  const cookies = [answer.headers['set-cookie'] ?? []].flat() as string[];
  return cookies.find((cookie) => cookie.startsWith('tollgate_session='))?.split(';')[0];
}

export function assertFailed({ status, headers }: Answer, reason: string): void {
  assert.deepEqual([status, headers['location']], [302, `http://localhost/console/?sign_in=${reason}`]);
  assert.equal(sessionOf({ status, headers, body: undefined }), undefined, 'nobody is signed in');
}
