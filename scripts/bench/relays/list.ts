// The relays of a run, in the order of their columns. A further peer gets its line here.
import type { Options } from '../options.ts';
import { address } from './address.ts';
import { direct } from './direct.ts';
import { ladderStep, steps } from './ladder/steps.ts';
import { nginx } from './nginx.ts';
import { litellm } from './peers/litellm.ts';
import { portkey } from './peers/portkey.ts';
import type { Relay } from './relay.ts';
import { tollgate } from './tollgate.ts';

/** The relay whose figures are held against the budget. */
export const judgedRelay = 'Tollgate';

/** The relay that multiples are multiples of. */
export const yardstick = 'nginx';

export function listRelays(options: Options): Relay[] {
  const { servers, addresses, fetchPeers, profile } = options;
  const all = [
    direct,
    nginx,
    ...steps.map(ladderStep),
    ...servers.map((server) => tollgate({ ...server, isInspected: profile })),
    portkey(fetchPeers),
    litellm(fetchPeers),
    ...addresses.map(address),
  ];
  return all.filter(({ name }) => options.relays?.includes(name.toLowerCase()) ?? true);
}
