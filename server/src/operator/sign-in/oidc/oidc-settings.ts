// Who signs operators and members in beside their passwords, and which operators it may let in as what.
export interface OidcSettings {
  issuer: string;
  clientId: string;
  /** undefined: a public client, which has PKCE alone. */
  clientSecret: string | undefined;
  /** For people. */
  name: string;
  people: NamedPeople;
  /** Whether members of accounts sign in to the portal by it. */
  portal: boolean;
  /** Microsoft Entra ID alone: organisations whose people may come in; empty: that of the issuer. In small letters. */
  tenants: readonly string[];
}

/** Addresses, or `*@domain` for everybody there; in small letters. */
export interface NamedPeople {
  admins: readonly string[];
  viewers: readonly string[];
}

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/** Encrypted, or never leaving this machine. */
export function isSafeAddress(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname));
}
