// Nobody comes in who is not named: the role that an address has by the operator's lists.
import type { NamedPeople } from './oidc-settings.ts';

/** ASCII alone: small letters of other alphabets' look-alikes (such as the Kelvin sign) would be somebody else's address. */
const ADDRESS = /^[!-)+\--?A-~]+@[a-z0-9-]+(?:\.[a-z0-9-]+)*$/i;
const MOST_CHARACTERS = 100;
const EVERYBODY = '*@';

export function isAddress(text: string): boolean {
  return text.length <= MOST_CHARACTERS && ADDRESS.test(text);
}

/** An address, or a whole domain. */
export function isNameOfPeople(entry: string): boolean {
  return isAddress(entry.startsWith(EVERYBODY) ? `x@${entry.slice(EVERYBODY.length)}` : entry);
}

/** An address counts before its domain, and in either case admins before viewers; undefined = nobody we know. */
export function roleOf(email: string, { admins, viewers }: NamedPeople): 'admin' | 'viewer' | undefined {
  if (!isAddress(email)) return undefined;
  const address = email.toLowerCase();
  for (const entry of [address, `${EVERYBODY}${address.slice(address.indexOf('@') + 1)}`]) {
    if (admins.includes(entry)) return 'admin';
    if (viewers.includes(entry)) return 'viewer';
  }
  return undefined;
}
