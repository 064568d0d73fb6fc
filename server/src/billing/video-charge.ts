// What a video costs, with the arithmetic in words (contract 6). Everything is multiplied exactly and rounded once.
import type { Group } from '../catalogue/catalogue.ts';
import type { Price } from '../catalogue/prices.ts';
import type { SecondPrice } from '../catalogue/video-prices.ts';
import type { VideoUsage } from '../neutral/video.ts';
import { type Charge, times } from './charge.ts';
import { divideRounded, formatAmount, NANO } from './money.ts';

const MILLION = 1_000_000n;

/** For the hold with what it may come to, for the settle with what it came to. The price must be of the usage's unit. */
export function chargeVideo(price: Price, group: Group, usage: VideoUsage): Charge {
  const { numerator, denominator, words } = factorsOf(price, usage);
  return {
    amount: divideRounded(numerator * group.multiplierNano, denominator * NANO),
    arithmetic: `${words}${times(group)}`,
  };
}

interface Factors {
  numerator: bigint;
  denominator: bigint;
  words: string;
}

function factorsOf(price: Price, usage: VideoUsage): Factors {
  if (price.unit === 'second' && usage.by === 'time') {
    const coefficient = coefficientOf(price, usage.resolution);
    const rate = `${formatAmount(price.amount)} x ${formatAmount(coefficient)}`;
    return {
      numerator: BigInt(usage.milliseconds) * price.amount * coefficient,
      denominator: 1000n * NANO,
      words: `${usage.milliseconds / 1000} seconds x ${rate} (${usage.resolution})`,
    };
  }
  if (price.unit === 'video_tokens' && usage.by === 'tokens') {
    const rate = price.perMillion[usage.tier];
    return {
      numerator: BigInt(usage.tokens) * rate,
      denominator: MILLION,
      words: `${usage.tokens} tokens x ${formatAmount(rate)} (${usage.tier}) / 1000000`,
    };
  }
  throw new Error(`a video counted by ${usage.by} is not charged by ${price.unit}`);
}

/** A resolution that the price does not name costs the plain amount. */
function coefficientOf(price: SecondPrice, resolution: string): bigint {
  return price.resolution.get(resolution.toUpperCase()) ?? NANO;
}
