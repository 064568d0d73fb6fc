// The proxy of a channel as it is stored: sealed, since its address may hold a password, with a hint that operators may
// read. Here because the operator API writes it and the catalogue reads it, and neither may import the other.
import type { SecretBox } from './secret-box.ts';

export interface SealedProxy {
  sealed: string;
  hint: string;
}

export function sealProxy(address: string, box: Pick<SecretBox, 'seal'>): SealedProxy {
  return { sealed: box.seal(address), hint: proxyHint(address) };
}

/** The address without its password. */
function proxyHint(address: string): string {
  return address.replace(/^(https?:\/\/[^:@/]*):[^@/]*@/i, '$1:...@');
}

export function openProxy(stored: SealedProxy, box: Pick<SecretBox, 'open'>): string {
  return box.open(stored.sealed);
}
