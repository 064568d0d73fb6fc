// May it, by its head alone: token, origin and address, before any of the body is read. The rest of the answer needs the body
// (relay/admit.ts).
import { GatewayError } from '../errors/gateway-error.ts';
import type { Authenticator } from './authenticate.ts';
import { type CarrierStyle, type CredentialRequest, findCredentials } from './credentials.ts';
import { missingCredential } from './missing-credential.ts';
import type { Principal } from './principal.ts';

/** The principal of the key that the head carries: at once for a key seen a moment ago. Throws 401 or 403. */
export function admitToken(
  authenticator: Pick<Authenticator, 'authenticate' | 'authenticateOneOf'>,
  head: CredentialRequest,
  style: CarrierStyle,
): Principal | Promise<Principal> {
  const [key, ...others] = findCredentials(head, style);
  if (key === undefined) throw missingCredential(head, style);
  return others.length === 0 ? authenticator.authenticate(key) : authenticator.authenticateOneOf([key, ...others]);
}

/** Whether the token may be used from this page and this address. Throws 403. */
export function admitOrigin(
  principal: Pick<Principal, 'origins' | 'ipAllow'>,
  { origin, address }: { origin: string | undefined; address: string },
): void {
  const { origins, ipAllow } = principal;
  // Servers send no origin (contract-2 7).
  if (origin !== undefined && origins !== undefined && !origins.includes(origin))
    throw new GatewayError('origin_not_allowed');
  if (ipAllow?.matches(address) === false) throw new GatewayError('ip_not_allowed');
}
