// The command line of the fault tests, checked once at the edge.
import { parseArgs } from 'node:util';
import { BOTH, type StoreName } from './fault.ts';

export interface Options {
  only: readonly string[] | undefined;
  rounds: number | undefined;
  seconds: number | undefined;
  stores: readonly StoreName[];
  seed: number;
  write: boolean;
  list: boolean;
}

export const usage = `npm run faults -- [options]
  --only FT-01,FT-13   only these
  --rounds N           rounds of each, instead of its own number
  --seconds N          length of what goes by time
  --minutes N          the same in minutes, for a soak: --only FT-26 --minutes 60
  --store NAME         sqlite, postgres or both (both)
  --seed N             of every random choice (by the clock); a failing run names it
  --write              writes the report to docs/faults.md
  --list               says what there is`;

function readNumber(name: string, text: string | undefined, most: number): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (value > 0 && value <= most) return value;
  throw new Error(`--${name} must be a number above 0 and up to ${most}, not "${text}"`);
}

/** Reads the command line; undefined means that only the help was asked for. */
export function readOptions(words: readonly string[], known: readonly string[]): Options | undefined {
  const { values } = parseArgs({
    args: [...words],
    options: {
      only: { type: 'string' },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      minutes: { type: 'string' },
      store: { type: 'string', default: 'both' },
      seed: { type: 'string' },
      write: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  const only = values.only?.split(',').map((word) => word.trim().toUpperCase());
  const unknown = only?.find((id) => !known.includes(id));
  if (unknown !== undefined) throw new Error(`--only: there is no ${unknown}; there are ${known.join(', ')}`);
  const stores = values.store === 'both' ? BOTH : BOTH.filter((store) => store === values.store);
  if (stores.length === 0) throw new Error(`--store must be sqlite, postgres or both, not "${values.store}"`);
  const minutes = readNumber('minutes', values.minutes, 24 * 60);
  const rounds = readNumber('rounds', values.rounds, 1_000_000);
  return {
    only,
    rounds: rounds === undefined ? undefined : Math.ceil(rounds),
    seconds: minutes === undefined ? readNumber('seconds', values.seconds, 24 * 3600) : minutes * 60,
    stores,
    seed: readNumber('seed', values.seed, 2 ** 31) ?? Date.now() % 1_000_000,
    write: values.write,
    list: values.list,
  };
}
