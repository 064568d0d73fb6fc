// The issuer that signs operators and members in, as the gateway knows it: its configuration for a while, and the two steps of a sign-in.
import type { Configuration } from 'openid-client';
import type { Clock } from '../../../../shared/clock.ts';
import type { OidcSettings } from '../oidc-settings.ts';
import type { Claims, Exchange, IdClaims, StartedFlow } from './code-flow.ts';
import { isEntra } from './entra.ts';
import { type IssuerClient, issuerFetch } from './issuer-fetch.ts';
import { CachedFetch } from './cached-fetch.ts';

/** Anybody can begin a sign-in, so an issuer that is away is not asked for each of them. */
const KEEP_MS = { good: 3_600_000, bad: 5_000 };

export class Issuer {
  readonly settings: OidcSettings;
  readonly #configuration: CachedFetch<Configuration>;

  constructor({ settings, client, clock }: { settings: OidcSettings; client: IssuerClient; clock: Clock }) {
    this.settings = settings;
    const fetch = issuerFetch(client, settings.issuer);
    this.#configuration = new CachedFetch(
      async () => {
        const { discover } = await import('./discover.ts');
        const skewSeconds = Math.round((clock.now() - Date.now()) / 1000);
        return discover({ settings, fetch, skewSeconds });
      },
      KEEP_MS,
      clock,
    );
  }

  /** Rejects with OidcFailure. */
  async start(redirectUri: string): Promise<StartedFlow & { address: string }> {
    const [configuration, { startFlow }] = await this.#open();
    // The name of a person in their directory is a claim of the profile.
    const scope = isEntra(this.settings.issuer) ? 'openid email profile' : 'openid email';
    return startFlow(configuration, { redirectUri, scope });
  }

  /** Rejects with OidcFailure. */
  async exchange(exchange: Exchange): Promise<{ claims: IdClaims; userInfo(): Promise<Claims | undefined> }> {
    const [configuration, { exchangeCode, fetchUserInfo }] = await this.#open();
    const { claims, accessToken } = await exchangeCode(configuration, exchange);
    return { claims, userInfo: () => fetchUserInfo(configuration, { accessToken, subject: claims.sub }) };
  }

  async #open() {
    return Promise.all([this.#configuration.get(), import('./code-flow.ts')]);
  }
}
