// Whether calls at a price may cost nothing.
import type { Price } from './prices.ts';

/** By its amounts, whatever digits stand in its names; of several that may apply, one of zero is enough. */
export function mayCostNothing(price: Price): boolean {
  switch (price.unit) {
    case 'tokens':
      return (price.perMillion.input === 0n && price.perMillion.output === 0n) || hasZero(price.tiers);
    case 'image':
      return price.amount === 0n || hasZero(price.by);
    case 'second':
      return price.amount === 0n || hasZero(price.resolution) || hasZero(price.factors);
    case 'video_tokens':
      return price.perMillion.generate === 0n || price.perMillion.video_input === 0n;
    case 'reported':
      return price.amount === 0n && price.hold === 0n;
    default:
      return price.amount === 0n;
  }
}

function hasZero(amounts: ReadonlyMap<string, bigint> | undefined): boolean {
  return amounts !== undefined && [...amounts.values()].includes(0n);
}
