// What the relay needs to know of a provider: where an operation lives, how the key is sent, and the protocol spoken there.
import type { TextProtocol } from '../protocols/protocol.ts';

export interface UpstreamAddress {
  origin: string;
  path: string;
}

export interface TextProvider {
  name: string;
  protocol: TextProtocol;
  /** Where text generation lives under the channel's base address. */
  textAddress(baseUrl: string, upstreamModel: string): UpstreamAddress;
  /** How this provider wants its key. */
  authHeaders(key: string): Record<string, string>;
  /** The cheapest request there is, in the provider's own protocol: an operator's test of a channel. */
  testRequest(model: string): Buffer;
}

const bases = new Map<string, UpstreamAddress>();

/** Splits a channel's base address, once, and appends a path to it. */
export function addressUnder(baseUrl: string, path: string): UpstreamAddress {
  let base = bases.get(baseUrl);
  if (base === undefined) {
    const url = new URL(baseUrl);
    base = { origin: url.origin, path: url.pathname.replace(/\/+$/, '') };
    if (bases.size > 10_000) bases.clear();
    bases.set(baseUrl, base);
  }
  return { origin: base.origin, path: base.path + path };
}
