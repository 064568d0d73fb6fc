// What is special about Microsoft Entra ID: it vouches for no e-mail address (`email_verified`), and one address of it may
// stand for every organisation there is. Its `email` is what anybody's directory says, so it counts only where Microsoft
// says that the domain's owner does (`xms_edov`); else the name under which a directory of ours knows the person.
import { z } from 'zod';
import { OidcFailure } from '../oidc-failure.ts';
import type { OidcSettings } from '../oidc-settings.ts';

const HOSTS: ReadonlySet<string> = new Set([
  'login.microsoftonline.com',
  'login.microsoftonline.us',
  'login.partner.microsoftonline.cn',
]);
const EVERY_TENANT = /^\/(?:common|organizations|consumers)(?:\/|$)/i;
const TENANT = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

const entraClaims = z.object({
  tid: z.string().optional().catch(undefined),
  iss: z.string(),
  /** Another than `iss` for guests, whom another directory signs in. */
  idp: z.string().optional().catch(undefined),
  acct: z.number().optional().catch(undefined),
  email: z.string().optional().catch(undefined),
  xms_edov: z.unknown().optional(),
  preferred_username: z.string().optional().catch(undefined),
});

export function isEntra(issuer: string): boolean {
  return HOSTS.has(new URL(issuer).hostname);
}

/** Whether it signs in people of every organisation, so that the settings must say which of them are meant. */
export function isOfEveryTenant(issuer: string): boolean {
  return isEntra(issuer) && EVERY_TENANT.test(new URL(issuer).pathname);
}

export function isTenant(text: string): boolean {
  return TENANT.test(text);
}

/** The person's address, for which their directory answers. */
export function entraAddress({ tenants }: OidcSettings, claims: object): string {
  const read = entraClaims.parse(claims);
  if (tenants.length > 0 && !tenants.includes(read.tid?.toLowerCase() ?? ''))
    throw new OidcFailure('unknown_person', `the tenant ${JSON.stringify(read.tid)} is not in TOLLGATE_OIDC_TENANTS`);
  if (read.email !== undefined && [true, 1, 'true', '1'].includes(read.xms_edov as never)) return read.email;
  if (read.acct === 1 || (read.idp !== undefined && read.idp !== read.iss))
    throw new OidcFailure('unverified_email', 'the person is a guest of the tenant, and "xms_edov" is not true');
  if (read.preferred_username !== undefined && read.preferred_username !== '') return read.preferred_username;
  throw new OidcFailure('no_email', 'the issuer reports no "preferred_username"');
}
