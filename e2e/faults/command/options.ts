// The command line of the fault tests, checked once at the edge.
import { parseArgs } from 'node:util';
import { BOTH, type Fault, type StoreName } from './fault.ts';

export interface Options {
  only: readonly string[] | undefined;
  rounds: number | undefined;
  seconds: number | undefined;
  /** The soak of several gateways. */
  isFleet: boolean;
  /** Part of a core, for a soak. */
  core: number | undefined;
  stores: readonly StoreName[];
  seed: number;
  /** As many rounds as promised. */
  isFull: boolean;
  write: boolean;
  list: boolean;
}

const SOAK = 'FT-26';
const FLEET_SOAK = 'SOAK-FLEET';

export const usage = `npm run faults -- [options]
  --only FT-01,FT-13   only these; capitals do not matter
  --rounds N           rounds of each, instead of its own number
  --full               as many rounds as the column Promised of docs/faults.md says, unless --rounds does; hours
  --seconds N          length of what goes by time
  --soak LENGTH        only the soak (FT-26), for so long: 60m, 90s, 2h
  --fleet              the soak of two gateways with faults (SOAK-FLEET, PostgreSQL and Redis) in its place
  --core PART          part of a core that each gateway of a soak is to use (0.3)
  --store NAME         sqlite, postgres or both (both)
  --seed N             of every random choice (by the clock); a failing run names it
  --write              writes the report to docs/faults.md, that of a soak to docs/benchmarks.md
  --list               says what there is; --help this
Ends with 1 when a promise broke, with 2 when the command line makes no sense.`;

function readNumber(name: string, text: string | undefined, most: number): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (value > 0 && value <= most) return value;
  throw new Error(`--${name} must be a number above 0 and up to ${most}, not "${text}"`);
}

const UNITS = { s: 1, m: 60, h: 3_600 };

function readLength(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const [, count, unit] = /^(\d+(?:\.\d+)?)([smh])$/.exec(text) ?? [];
  if (count === undefined) throw new Error(`--soak must be a length such as 60m, 90s or 2h, not "${text}"`);
  return Number(count) * UNITS[unit as keyof typeof UNITS];
}

/** Reads the command line; undefined means that only the help was asked for. */
export function readOptions(
  words: readonly string[],
  known: readonly Pick<Fault, 'id' | 'stores'>[],
): Options | undefined {
  const { values } = parseArgs({
    args: [...words],
    options: {
      only: { type: 'string' },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      full: { type: 'boolean', default: false },
      soak: { type: 'string' },
      fleet: { type: 'boolean', default: false },
      core: { type: 'string' },
      store: { type: 'string', default: 'both' },
      seed: { type: 'string' },
      write: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  const soakSeconds = readLength(values.soak);
  if (soakSeconds !== undefined && values.only !== undefined)
    throw new Error(`--soak is ${SOAK} alone: leave out --only`);
  if (values.fleet && soakSeconds === undefined) throw new Error('--fleet needs --soak');
  const named = soakSeconds === undefined ? values.only : values.fleet ? FLEET_SOAK : SOAK;
  const only = named?.split(',').map((word) => word.trim().toUpperCase());
  const ids = known.map(({ id }) => id);
  const unknown = only?.find((id) => !ids.includes(id));
  if (unknown !== undefined) throw new Error(`--only: there is no ${unknown}; there are ${ids.join(', ')}`);
  const stores = values.store === 'both' ? BOTH : BOTH.filter((store) => store === values.store);
  if (stores.length === 0) throw new Error(`--store must be sqlite, postgres or both, not "${values.store}"`);
  const elsewhere = known.find(
    (fault) => only?.includes(fault.id) === true && !fault.stores.some((store) => stores.includes(store)),
  );
  if (elsewhere !== undefined)
    throw new Error(
      `--only: ${elsewhere.id} is a fault of ${elsewhere.stores.join(' and ')} only; choose it with --store`,
    );
  if (values.write && only !== undefined && soakSeconds === undefined)
    throw new Error('--write is for all faults or a soak: the report would lose the others');
  const rounds = readNumber('rounds', values.rounds, 1_000_000);
  return {
    only,
    rounds: rounds === undefined ? undefined : Math.ceil(rounds),
    seconds: soakSeconds ?? readNumber('seconds', values.seconds, 24 * 3600),
    isFleet: values.fleet,
    core: readNumber('core', values.core, 1),
    stores,
    seed: readNumber('seed', values.seed, 2 ** 31) ?? Date.now() % 1_000_000,
    isFull: values.full,
    write: values.write,
    list: values.list,
  };
}
