// Which proxy a call goes through: the channel's own, else the one that the environment names for the scheme, unless
// NO_PROXY names the host. This machine itself is always called without one, except by a channel's own.
import { BlockList, isIP } from 'node:net';

export interface ProxySettings {
  /** HTTPS_PROXY and HTTP_PROXY. */
  https: string | undefined;
  http: string | undefined;
  /** NO_PROXY. */
  none: string | undefined;
}

export type ChooseProxy = (origin: string, own?: string) => string | undefined;

type Rule = (host: string, port: string) => boolean;

const LOOPBACK = /^(?:localhost|.*\.localhost|127\.\d+\.\d+\.\d+|::1)$/;
const MOST_KNOWN = 1_000;

export const noProxies: ChooseProxy = (_origin, own) => own;

export function chooseProxies({ https, http, none }: ProxySettings): ChooseProxy {
  if (https === undefined && http === undefined) return noProxies;
  const rules = (none ?? '')
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .map(ruleOf);
  const known = new Map<string, string | undefined>();
  return (origin, own) => {
    if (own !== undefined) return own;
    if (known.has(origin)) return known.get(origin);
    const { protocol, hostname, port } = new URL(origin);
    const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
    const isDirect = LOOPBACK.test(host) || rules.some((rule) => rule(host, port || portOf(protocol)));
    const proxy = isDirect ? undefined : protocol === 'https:' ? https : http;
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(origin, proxy);
    return proxy;
  };
}

/** `*`, a name (itself and what is under it), an address or a network; a name may end in a port. */
function ruleOf(entry: string): Rule {
  if (entry === '*') return () => true;
  const [, network = '', prefix = ''] = /^([\da-f:.]+)\/(\d+)$/i.exec(entry) ?? [];
  if (isIP(network) !== 0) return ofNetwork(network, Number(prefix));
  const [, named = '', wanted] = /^\[?(.*?)\]?(?::(\d+))?$/.exec(isIP(entry) === 6 ? `[${entry}]` : entry) ?? [];
  const name = named.toLowerCase().replace(/^\*?\./, '');
  return (host, port) =>
    (host === name || (isIP(host) === 0 && host.endsWith(`.${name}`))) && (wanted === undefined || wanted === port);
}

function ofNetwork(network: string, prefix: number): Rule {
  const list = new BlockList();
  const family = isIP(network) === 4 ? 'ipv4' : 'ipv6';
  try {
    list.addSubnet(network, prefix, family);
  } catch {
    return () => false; // a prefix that no address has
  }
  return (host) => isIP(host) !== 0 && list.check(host, isIP(host) === 4 ? 'ipv4' : 'ipv6');
}

function portOf(protocol: string): string {
  return protocol === 'https:' ? '443' : '80';
}
