// The issuer that signs operators in, as the gateway knows it: its metadata and keys for a while, and the calls of the
// authorization code flow with PKCE.
import { z } from 'zod';
import type { GuardedClient } from '../../../../providers/guarded/guarded-client.ts';
import type { Clock } from '../../../../shared/clock.ts';
import { IssuerClient } from './issuer-client.ts';
import { type IssuerMetadata, metadataAddress, readMetadata } from './issuer-metadata.ts';
import { OidcFailure } from '../oidc-failure.ts';
import type { OidcSettings } from '../oidc-settings.ts';
import { Remembered } from './remembered.ts';
import type { IssuerKey } from './signature.ts';

/** Anybody can begin a sign-in, so an issuer that is away is not asked for each of them. */
const KEEP_MS = { good: 3_600_000, bad: 5_000 };

const text = z.string().optional();
const key = z.looseObject({ kty: z.string(), kid: text, use: text, alg: text, crv: text });
const keySet = z.object({ keys: z.array(z.unknown()) });
const tokens = z.object({ id_token: z.string(), access_token: z.string().optional() });
const refusal = z.object({ error: z.string().max(100) });
const userInfo = z.object({
  sub: z.string(),
  email: z.string().optional().catch(undefined),
  email_verified: z.boolean().optional().catch(undefined),
});

export type UserInfo = z.infer<typeof userInfo>;

export class Issuer {
  readonly settings: OidcSettings;
  readonly #client: IssuerClient;
  readonly #metadata: Remembered<IssuerMetadata>;
  readonly #keys: Remembered<readonly IssuerKey[]>;

  constructor({ settings, client, clock }: { settings: OidcSettings; client: GuardedClient; clock: Clock }) {
    this.settings = settings;
    this.#client = new IssuerClient(client, settings.issuer);
    const { issuer } = settings;
    this.#metadata = new Remembered(
      async () => readMetadata(await this.#fetch(metadataAddress(issuer)), issuer),
      KEEP_MS,
      clock,
    );
    this.#keys = new Remembered(() => this.#fetchKeys(), KEEP_MS, clock);
  }

  metadata(): Promise<IssuerMetadata> {
    return this.#metadata.get();
  }

  keys(freshness: 'known' | 'fresh'): Promise<readonly IssuerKey[]> {
    return freshness === 'known' ? this.#keys.get() : this.#keys.renew();
  }

  /** Exchanges a code for tokens. */
  async redeem(given: { code: string; verifier: string; redirectUri: string }): Promise<z.infer<typeof tokens>> {
    const { clientId, clientSecret } = this.settings;
    const { tokenEndpoint, secretInBody } = await this.metadata();
    const form = new URLSearchParams({
      grant_type: 'authorization_code',
      code: given.code,
      redirect_uri: given.redirectUri,
      code_verifier: given.verifier,
    });
    const byHeader = clientSecret !== undefined && !secretInBody;
    if (!byHeader) form.set('client_id', clientId);
    if (clientSecret !== undefined && secretInBody) form.set('client_secret', clientSecret);
    const headers = byHeader ? { authorization: basicAuthorization(clientId, clientSecret) } : {};
    const { status, body } = await this.#client.call(tokenEndpoint, { headers, form });
    const read = tokens.safeParse(body);
    if (status === 200 && read.success) return read.data;
    const word = refusal.safeParse(body).data?.error;
    // The code was too old or used before: trying again helps. Everything else is for the operator to mend.
    throw new OidcFailure(
      word === 'invalid_grant' ? 'expired' : 'refused',
      `the issuer gave no ID token for the code: status ${status}, ${JSON.stringify(word ?? 'no error code')}`,
    );
  }

  /** Where the claims live that an issuer leaves out of its ID tokens; undefined when it has no such place. */
  async userInfo(accessToken: string): Promise<UserInfo | undefined> {
    const { userInfoEndpoint } = await this.metadata();
    if (userInfoEndpoint === undefined) return undefined;
    const body = await this.#fetch(userInfoEndpoint, { authorization: `Bearer ${accessToken}` });
    const read = userInfo.safeParse(body);
    if (read.success) return read.data;
    throw new OidcFailure('invalid', 'the issuer tells nothing about the person that can be read');
  }

  async #fetchKeys(): Promise<readonly IssuerKey[]> {
    const { keysAddress } = await this.metadata();
    const read = keySet.safeParse(await this.#fetch(keysAddress));
    if (!read.success) throw new OidcFailure('unreachable', `there are no keys at ${keysAddress}`);
    return read.data.keys.flatMap((entry) => key.safeParse(entry).data ?? []);
  }

  async #fetch(url: string, headers: Record<string, string> = {}): Promise<unknown> {
    const { status, body } = await this.#client.call(url, { headers });
    if (status === 200) return body;
    throw new OidcFailure('unreachable', `${url} answered with status ${status}`);
  }
}

/** RFC 6749, section 2.3.1: both are encoded as in a form first. */
function basicAuthorization(clientId: string, clientSecret: string): string {
  const encode = (text: string): string => new URLSearchParams({ x: text }).toString().slice(2);
  return `Basic ${Buffer.from(`${encode(clientId)}:${encode(clientSecret)}`).toString('base64')}`;
}
