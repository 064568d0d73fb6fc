// Which network addresses belong to the public: everything else (loopback, private, link-local, metadata, multicast,
// reserved, and IPv4 in any IPv6 dress) is nobody's business to make us call (promise A-10).
import { BlockList, isIPv4, isIPv6 } from 'node:net';

const NOT_PUBLIC_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];
/** Of IPv6 only global unicast is public, without what is reserved in it or carries an IPv4 address (Teredo, 6to4). */
const PUBLIC_V6 = ['2000::/3'];
const NOT_PUBLIC_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const notPublic4 = listOf(NOT_PUBLIC_V4, 'ipv4');
const public6 = listOf(PUBLIC_V6, 'ipv6');
const notPublic6 = listOf(NOT_PUBLIC_V6, 'ipv6');

export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !notPublic4.check(address, 'ipv4');
  if (!isIPv6(address)) return false;
  return public6.check(address, 'ipv6') && !notPublic6.check(address, 'ipv6');
}

function listOf(ranges: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [start = '', prefix] = range.split('/');
    list.addSubnet(start, Number(prefix), family);
  }
  return list;
}
