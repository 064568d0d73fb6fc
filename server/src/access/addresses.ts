// Network addresses: ranges that a token or the operator allows, and which address a request really comes from.
// IPv4 written inside IPv6 (`::ffff:a.b.c.d`) is IPv4 here, in ranges and in addresses alike.
import { BlockList, isIPv4, isIPv6, SocketAddress } from 'node:net';

export interface AddressMatcher {
  matches(address: string): boolean;
}

interface AddressRange {
  family: 'ipv4' | 'ipv6';
  address: string;
  prefix: number;
}

const MAPPED_BITS = 96;

/** What is not a range matches nothing, so that a damaged list refuses instead of admitting. */
export function compileAddresses(ranges: readonly string[]): AddressMatcher {
  // Two lists: one of both families lets `::/64` match every IPv4 address.
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const text of ranges) {
    const range = parseRange(text);
    if (range !== undefined) lists[range.family].addSubnet(range.address, range.prefix, range.family);
  }
  return {
    matches(text) {
      const address = normaliseAddress(text);
      if (address === undefined) return false;
      const family = isIPv4(address) ? 'ipv4' : 'ipv6';
      return lists[family].check(address, family);
    },
  };
}

/** Whether one of the ranges holds all addresses of another. What is not a range holds none. */
export function coversRange(ranges: readonly string[], asked: string): boolean {
  const inner = parseRange(asked);
  if (inner === undefined) return false;
  return ranges.some((text) => {
    const outer = parseRange(text);
    if (outer?.family !== inner.family || outer.prefix > inner.prefix) return false;
    const list = new BlockList();
    list.addSubnet(outer.address, outer.prefix, outer.family);
    return list.check(inner.address, inner.family);
  });
}

/** Lower case, without zone, IPv4 out of its IPv6 dress; undefined when the text is not an address. */
export function normaliseAddress(text: string): string | undefined {
  if (isIPv4(text)) return text;
  if (!isIPv6(text)) return undefined;
  const address = withoutZone(text).toLowerCase();
  if (!address.includes('ffff')) return address;
  const canonical = new SocketAddress({ address, family: 'ipv6' }).address;
  const inner = canonical.startsWith('::ffff:') ? canonical.slice('::ffff:'.length) : '';
  return isIPv4(inner) ? inner : address;
}

/**
 * Which address a request comes from. X-Forwarded-For is what anybody can write, so only the part that trusted proxies
 * added is believed: the right-most address that is not itself a trusted proxy. An entry that is no address ends the walk
 * at the last good one. '' when the peer has gone and its address with it.
 */
export function clientAddress(
  socketAddress: string | undefined,
  forwardedFor: string | undefined,
  trustedProxies: AddressMatcher | undefined,
): string {
  let address = normaliseAddress(socketAddress ?? '') ?? '';
  if (forwardedFor === undefined || trustedProxies === undefined) return address;
  let end = forwardedFor.length;
  while (end >= 0 && trustedProxies.matches(address)) {
    const comma = end === 0 ? -1 : forwardedFor.lastIndexOf(',', end - 1);
    const hop = readHop(forwardedFor.slice(comma + 1, end));
    if (hop === undefined) break;
    address = hop;
    end = comma;
  }
  return address;
}

function parseRange(text: string): AddressRange | undefined {
  const [, start = '', length] = /^([^/]+?)(?:\/(\d{1,3}))?$/.exec(text.trim()) ?? [];
  const address = normaliseAddress(start);
  if (address === undefined) return undefined;
  const bits = isIPv4(start) ? 32 : 128;
  const prefix = length === undefined ? bits : Number(length);
  if (prefix > bits) return undefined;
  if (isIPv4(start) || isIPv6(address)) return { family: bits === 32 ? 'ipv4' : 'ipv6', address, prefix };
  if (prefix < MAPPED_BITS) return { family: 'ipv6', address: withoutZone(start), prefix }; // wider than IPv4 as a whole
  return { family: 'ipv4', address, prefix: prefix - MAPPED_BITS };
}

function withoutZone(address: string): string {
  const zone = address.indexOf('%');
  return zone === -1 ? address : address.slice(0, zone);
}

/** `1.2.3.4`, `1.2.3.4:567`, `::1`, `[::1]`, `[::1]:567`. */
function readHop(text: string): string | undefined {
  const hop = text.trim();
  const bracketed = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(hop)?.[1];
  const withPort = /^([\d.]+):\d{1,5}$/.exec(hop)?.[1];
  return normaliseAddress(bracketed ?? withPort ?? hop);
}
