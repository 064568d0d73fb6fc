// Programs of other gateways that the operator has, as given on the command line: the benchmark starts them, with the least
// configuration that leads to its upstream, and ends them.
import { resolve } from 'node:path';

export const peerNames = ['bifrost', 'new-api', 'portkey', 'litellm'] as const;
export type PeerName = (typeof peerNames)[number];
/** The program of each peer that was given. */
export type Peers = Readonly<Partial<Record<PeerName, string>>>;

export function readPeers(given: readonly string[]): Peers {
  const peers: Partial<Record<PeerName, string>> = {};
  for (const text of given) {
    const [, word = '', file = ''] = /^([^=]+)=(.+)$/.exec(text) ?? [];
    const name = peerNames.find((known) => known === word.toLowerCase());
    if (name === undefined) {
      throw new Error(`--peer takes NAME=FILE where NAME is one of ${peerNames.join(', ')}, not "${text}"`);
    }
    if (peers[name] !== undefined) throw new Error(`--peer: ${name} is given twice`);
    peers[name] = resolve(file);
  }
  return peers;
}
