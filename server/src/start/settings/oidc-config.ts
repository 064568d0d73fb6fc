// Settings of sign-in by OpenID Connect.
import { isEntra, isOfEveryTenant, isTenant } from '../../operator/sign-in/oidc/issuer/entra.ts';
import { isNameOfPeople } from '../../operator/sign-in/oidc/named-people.ts';
import { isSafeAddress, type OidcSettings } from '../../operator/sign-in/oidc/oidc-settings.ts';
import { refuse } from './config-error.ts';
import { listOf, onOrOff } from './setting-values.ts';

type Written = string | boolean | readonly string[] | undefined;

/** Of an issuer all are set, or none. */
export const OIDC_SETTINGS: readonly { name: string; read(oidc: OidcSettings): Written; isSecret?: true }[] = [
  { name: 'TOLLGATE_OIDC_ISSUER', read: ({ issuer }) => issuer },
  { name: 'TOLLGATE_OIDC_CLIENT_ID', read: ({ clientId }) => clientId },
  { name: 'TOLLGATE_OIDC_CLIENT_SECRET', read: ({ clientSecret }) => clientSecret, isSecret: true },
  { name: 'TOLLGATE_OIDC_NAME', read: ({ name }) => name },
  { name: 'TOLLGATE_OIDC_ADMINS', read: ({ people }) => people.admins },
  { name: 'TOLLGATE_OIDC_VIEWERS', read: ({ people }) => people.viewers },
  { name: 'TOLLGATE_OIDC_TENANTS', read: ({ tenants }) => tenants },
  { name: 'TOLLGATE_OIDC_PORTAL', read: ({ portal }) => portal },
];

/** Whole or not at all: half of it would let nobody in, or somebody that nobody meant. */
export function oidcOf(text: (name: string) => string | undefined): OidcSettings | undefined {
  const issuer = issuerOf(text('TOLLGATE_OIDC_ISSUER'));
  if (issuer === undefined) {
    const given = OIDC_SETTINGS.map(({ name }) => name).find((name) => text(name) !== undefined);
    if (given !== undefined) refuse(`${given} is set without TOLLGATE_OIDC_ISSUER; set both or neither.`);
    return undefined;
  }
  const clientId = text('TOLLGATE_OIDC_CLIENT_ID');
  if (clientId === undefined) refuse('TOLLGATE_OIDC_CLIENT_ID must be set with TOLLGATE_OIDC_ISSUER.');
  const admins = peopleOf('TOLLGATE_OIDC_ADMINS', text('TOLLGATE_OIDC_ADMINS'));
  const viewers = peopleOf('TOLLGATE_OIDC_VIEWERS', text('TOLLGATE_OIDC_VIEWERS'));
  const twice = admins.find((entry) => viewers.includes(entry));
  if (twice !== undefined) refuse(`TOLLGATE_OIDC_VIEWERS lists "${twice}", and so do the admins.`);
  if (admins.length + viewers.length === 0)
    refuse('TOLLGATE_OIDC_ADMINS or TOLLGATE_OIDC_VIEWERS must name somebody: others are not let in.');
  const clientSecret = text('TOLLGATE_OIDC_CLIENT_SECRET');
  const name = text('TOLLGATE_OIDC_NAME') ?? new URL(issuer).host;
  const tenants = tenantsOf(issuer, listOf(text('TOLLGATE_OIDC_TENANTS')));
  const portal = onOrOff('TOLLGATE_OIDC_PORTAL', text('TOLLGATE_OIDC_PORTAL'));
  return { issuer, clientId, clientSecret, name, people: { admins, viewers }, portal, tenants };
}

/** Without them, an issuer of every organisation would let in whomever any of them calls by one of the named addresses. */
function tenantsOf(issuer: string, given: readonly string[]): string[] {
  const tenants = given.map((entry) => entry.toLowerCase());
  const wrong = tenants.find((entry) => !isTenant(entry));
  if (wrong !== undefined) refuse(`TOLLGATE_OIDC_TENANTS lists "${wrong}", which is no tenant id.`);
  if (tenants.length > 0 && !isEntra(issuer))
    refuse('TOLLGATE_OIDC_TENANTS is for Microsoft Entra ID; TOLLGATE_OIDC_ISSUER is another issuer.');
  if (tenants.length === 0 && isOfEveryTenant(issuer))
    refuse('TOLLGATE_OIDC_TENANTS must list tenant ids: TOLLGATE_OIDC_ISSUER signs in people of every organisation.');
  return tenants;
}

function issuerOf(value: string | undefined): string | undefined {
  if (value === undefined || (isSafeAddress(value) && !/[?#]/.test(value))) return value;
  refuse('TOLLGATE_OIDC_ISSUER must be an https address without user, query or fragment.');
}

function peopleOf(name: string, value: string | undefined): string[] {
  const people = listOf(value).map((entry) => entry.toLowerCase());
  const wrong = people.find((entry) => !isNameOfPeople(entry));
  if (wrong === undefined) return people;
  refuse(`${name} lists "${wrong}", which is neither an e-mail address nor *@domain.`);
}
