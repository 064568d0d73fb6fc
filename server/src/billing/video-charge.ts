// What a video costs, with the arithmetic in words (contract 6). Everything is multiplied exactly and rounded once.
import type { Group } from '../catalogue/catalogue.ts';
import type { Price } from '../catalogue/prices.ts';
import type { SecondPrice } from '../catalogue/video-prices.ts';
import type { VideoUsage } from '../neutral/video.ts';
import { type Charge, times } from './charge.ts';
import { divideRounded, formatAmount, NANO, parseAmount } from './money.ts';

const MILLION = 1_000_000n;

/** For the hold with what it may come to, for the settle with what it came to. The price must be of the usage's unit. */
export function chargeVideo(price: Price, group: Group, usage: VideoUsage): Charge {
  const { numerator, denominator, words } = factorsOf(price, usage);
  return {
    amount: divideRounded(numerator * group.multiplierNano, denominator * NANO),
    arithmetic: `${words}${times(group)}`,
  };
}

/** What is held before a video is made; charged too where its end reports nothing and the price goes by reports alone. */
export function holdVideo(price: Price, group: Group, usage: VideoUsage): Charge {
  if (price.unit !== 'reported') return chargeVideo(price, group, usage);
  const amount = divideRounded(price.hold * group.multiplierNano, NANO);
  return { amount, arithmetic: `${formatAmount(price.hold)} as held${times(group)}` };
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
    const factors: Factors = {
      numerator: BigInt(usage.milliseconds) * price.amount * coefficient,
      denominator: 1000n * NANO,
      words: `${usage.milliseconds / 1000} seconds x ${rate} (${usage.resolution})`,
    };
    return (usage.traits ?? []).reduce((product, trait) => multiply(product, trait, price), factors);
  }
  if (price.unit === 'reported') {
    const { count, scale, name } = reportedUnits(usage);
    const words = `${formatAmount((count * NANO) / scale)} ${name} x ${formatAmount(price.amount)}`;
    return { numerator: count * price.amount, denominator: scale, words };
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

/** By the factor of one thing that was sent, where it has one. */
function multiply(product: Factors, trait: string, { factors }: SecondPrice): Factors {
  const factor = factors?.get(trait.toLowerCase());
  if (factor === undefined) return product;
  const { numerator, denominator, words } = product;
  return {
    numerator: numerator * factor,
    denominator: denominator * NANO,
    words: `${words} x ${formatAmount(factor)} (${trait})`,
  };
}

/** What the vendor counted, as a whole number and what it is divided by. */
function reportedUnits(usage: VideoUsage): { count: bigint; scale: bigint; name: string } {
  if (usage.by === 'time') return { count: BigInt(usage.milliseconds), scale: 1000n, name: 'seconds' };
  if (usage.by === 'tokens') return { count: BigInt(usage.tokens), scale: 1n, name: 'tokens' };
  return { count: parseAmount(usage.units) ?? 0n, scale: NANO, name: 'units' };
}

/** A resolution that the price does not name costs the plain amount. */
function coefficientOf(price: SecondPrice, resolution: string): bigint {
  return price.resolution.get(resolution.toUpperCase()) ?? NANO;
}
