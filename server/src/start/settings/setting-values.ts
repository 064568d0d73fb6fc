// Values of settings, by their kind. A wrong one is a sentence that names the variable.
import { isIP } from 'node:net';
import { refuse } from './config-error.ts';
import type { BaseAddress } from '../../http/base-addresses.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Bounds {
  fallback: number;
  least: number;
  most: number;
  orWord?: string;
}

export function wholeNumber(name: string, value: string | undefined, bounds: Bounds): number {
  if (value === undefined) return bounds.fallback;
  const number = Number(value);
  if (/^\d+$/.test(value) && number >= bounds.least && number <= bounds.most) return number;
  const word = bounds.orWord === undefined ? '' : `"${bounds.orWord}" or `;
  refuse(`${name} must be ${word}a whole number from ${bounds.least} to ${bounds.most}, not "${value}".`);
}

export function onOrOff(name: string, value = 'on'): boolean {
  if (value === 'on' || value === 'off') return value === 'on';
  refuse(`${name} must be "on" or "off", not "${value}".`);
}

export function printOrFile(name: string, value = 'print'): 'print' | 'file' {
  if (value === 'print' || value === 'file') return value;
  refuse(`${name} must be "print" or "file", not "${value}".`);
}

/** Secrets are never part of the sentence that refuses them. */
export function secretOf(name: string, environment: Environment, least: number): string | undefined {
  const value = environment[name];
  if (value === undefined) return undefined;
  const secret = value.trim();
  const fits = secret.length >= least && (name !== 'TOLLGATE_OPERATOR_KEY' || !/\s/.test(secret)); // that one is a header
  if (fits) return secret;
  refuse(`${name} must have at least ${least} characters and no white space; leave it unset to do without.`);
}

export function addressOf(name: string, value: string | undefined, schemes: string[]): string | undefined {
  if (value === undefined) return undefined;
  const url = URL.parse(value);
  if (url !== null && schemes.includes(url.protocol) && url.hostname !== '') return value;
  refuse(`${name} must be an address that begins with ${schemes[0]}//.`);
}

/** Several with commas between them: the nodes of a cluster. */
export function addressesOf(name: string, value: string | undefined, schemes: string[]): string | undefined {
  const addresses = value?.split(',').map((address) => address.trim());
  return addresses?.map((address) => addressOf(name, address, schemes)).join(',');
}

export function baseAddressOf(name: string, value: string | undefined): BaseAddress | undefined {
  if (value === undefined) return undefined;
  const url = URL.parse(value);
  const plain =
    url !== null &&
    ['http:', 'https:'].includes(url.protocol) &&
    url.username === '' &&
    url.search === '' &&
    url.hash === '';
  if (!plain) refuse(`${name} must be an http or https address without user, query or fragment.`);
  const prefix = url.pathname.replace(/\/+$/, '');
  return { url: `${url.origin}${prefix}`, host: url.host, prefix };
}

export function listOf(value = ''): string[] {
  return value
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

const HOST_NAME = /^[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?\.?$/i;

function isHost(text: string): boolean {
  return isIP(text) !== 0 || HOST_NAME.test(text);
}

export function hostOf(name: string, value = '127.0.0.1'): string {
  if (isHost(value)) return value;
  refuse(`${name} must be an address or a host name alone, not "${value}".`);
}

/** `host` or `host:port`; an IPv6 address with a port stands in brackets. */
export function hostsOf(name: string, value: string | undefined): string[] {
  const hosts = listOf(value);
  for (const entry of hosts) {
    const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(entry) ?? [];
    const host = bracketed ?? plain ?? entry;
    if (!isHost(host) || Number(port ?? 1) > 65_535 || Number(port ?? 1) < 1) {
      refuse(`${name} lists "${entry}", which is neither a host nor host:port.`);
    }
  }
  return hosts;
}

export function networksOf(name: string, value: string | undefined): string[] {
  const networks = listOf(value);
  for (const network of networks) {
    const [address = '', length, ...rest] = network.split('/');
    const bits = isIP(address) === 4 ? 32 : isIP(address) === 6 ? 128 : -1;
    const lengthFits = length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= bits);
    if (bits === -1 || rest.length > 0 || !lengthFits)
      refuse(`${name} lists "${network}", which is neither an address nor a CIDR range.`);
  }
  return networks;
}
