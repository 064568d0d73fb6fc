// A price in one line.
import type { Price } from '#contract/prices.ts';
import { formatMoney } from '../../lib/format-money.ts';

export function priceWords(price: Price | null): string {
  if (price === null) return 'not for sale';
  switch (price.unit) {
    case 'tokens':
      return `${formatMoney(price.input)} in, ${formatMoney(price.output)} out per million tokens${moreWords(price)}`;
    case 'video_tokens':
      return `${formatMoney(price.generate)} per million video tokens`;
    case 'characters':
      return `${formatMoney(price.amount)} per million characters`;
    case 'audio_second':
      return `${formatMoney(price.amount)} per second of audio`;
    case 'reported':
      return `${formatMoney(price.amount)} per reported unit`;
    case 'second':
      return `${formatMoney(price.amount)} per second of video`;
    case 'image':
    case 'request':
    case 'search':
      return `${formatMoney(price.amount)} per ${price.unit}`;
  }
}

/** What else the price of tokens goes by. */
function moreWords({ above, tiers, tools, batch }: Extract<Price, { unit: 'tokens' }>): string {
  const more = [
    ...(above ?? []).map(
      (long) => `${formatMoney(long.input)} in, ${formatMoney(long.output)} out above ${long.input_tokens}`,
    ),
    ...Object.entries(tiers ?? {}).map(([name, factor]) => `x ${factor} as ${name}`),
    ...Object.entries(tools ?? {}).map(([name, amount]) => `${formatMoney(amount)} per ${name}`),
    ...(batch === undefined || batch === null ? [] : [`x ${batch} in batches`]),
  ];
  return more.length === 0 ? '' : `; ${more.join('; ')}`;
}
