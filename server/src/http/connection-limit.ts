// How many connections one address may have open. Proxies and this machine itself are not counted: behind them stand many.
import { isIPv6 } from 'node:net';

export interface ConnectionLimitSettings {
  most: number;
  /** Trusted proxies. */
  isExempt(address: string): boolean;
}

export class ConnectionLimit {
  readonly #settings: ConnectionLimitSettings;
  readonly #open = new Map<string, number>();

  constructor(settings: ConnectionLimitSettings) {
    this.#settings = settings;
  }

  /** False where the address has as many as it may. One that counts is given back with the function. */
  take(remoteAddress: string | undefined): boolean | (() => void) {
    const address = plainAddress(remoteAddress ?? '');
    if (isLoopback(address) || this.#settings.isExempt(address)) return true;
    const owner = ownerOf(address);
    const open = this.#open.get(owner) ?? 0;
    if (open >= this.#settings.most) return false;
    this.#open.set(owner, open + 1);
    return () => this.#leave(owner);
  }

  #leave(owner: string): void {
    const open = this.#open.get(owner) ?? 0;
    if (open <= 1) this.#open.delete(owner);
    else this.#open.set(owner, open - 1);
  }
}

function plainAddress(address: string): string {
  return address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address;
}

export function isLoopback(address: string): boolean {
  return address === '::1' || plainAddress(address).startsWith('127.');
}

/** The owner of one IPv6 address has all 2^64 of its network. */
function ownerOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  const missing = tail === undefined ? 0 : 8 - groups.length - (tail === '' ? 0 : tail.split(':').length);
  return [...groups, ...Array<string>(missing).fill('0'), ...(tail ?? '').split(':')].slice(0, 4).join(':');
}
