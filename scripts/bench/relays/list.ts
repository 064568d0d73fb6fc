// The relays of a run, in the order of their columns. A further peer gets its line here.
import type { Options } from '../options.ts';
import { address } from './address.ts';
import { direct } from './direct.ts';
import { ladderStep, steps } from './ladder/steps.ts';
import { nginx } from './nginx.ts';
import { bifrost } from './peers/bifrost.ts';
import { litellm } from './peers/litellm.ts';
import { newApi } from './peers/new-api.ts';
import { portkey } from './peers/portkey.ts';
import type { Relay } from './relay.ts';
import { tollgate } from './tollgate.ts';

/** The relay whose figures are held against the budget. */
export const judgedRelay = 'Tollgate';

/** The same on PostgreSQL, whose cost is a multiple of that on SQLite. */
export const onPostgres = 'Tollgate-PG';

/** The relay that multiples are multiples of. */
export const yardstick = 'nginx';

export function listRelays(options: Options): Relay[] {
  const { servers, addresses, fetchPeers, profile, peers } = options;
  const [ours] = servers;
  const all = [
    direct,
    nginx,
    ...steps.map(ladderStep),
    ...servers.map((server) => tollgate({ ...server, isInspected: profile })),
    ...(ours === undefined ? [] : [tollgate({ ...ours, name: onPostgres, isInspected: false, onPostgres: true })]),
    bifrost(peers.bifrost),
    newApi(peers['new-api']),
    portkey(fetchPeers, peers.portkey),
    litellm(fetchPeers, peers.litellm),
    ...addresses.map(address),
  ];
  return all.filter(({ name }) => options.relays?.includes(name.toLowerCase()) ?? true);
}
