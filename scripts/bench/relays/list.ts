// The relays of a run, in the order of their columns. A peer gets its line here.
import type { Options } from '../options.ts';
import { direct } from './direct.ts';
import { nginx } from './nginx.ts';
import type { Relay } from './relay.ts';
import { tollgate } from './tollgate.ts';

/** The relay whose figures are held against the budget. */
export const judgedRelay = 'Tollgate';

/** The relay that multiples are multiples of. */
export const yardstick = 'nginx';

export function listRelays(options: Options): Relay[] {
  return [direct, nginx, ...options.servers.map((server) => tollgate(server.name, server.file))];
}
