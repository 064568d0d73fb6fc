// A price in one line.
import type { Price } from '#contract/prices.ts';
import { t } from '../../i18n/t.ts';
import { formatMoney } from '../../lib/format-money.ts';

export function priceLabel(price: Price | null): string {
  if (price === null) return t('not for sale');
  switch (price.unit) {
    case 'tokens':
      return `${t('{input} in, {output} out per million tokens', {
        input: formatMoney(price.input),
        output: formatMoney(price.output),
      })}${moreWords(price)}`;
    case 'video_tokens':
      return t('{generate} per million video tokens', { generate: formatMoney(price.generate) });
    case 'characters':
      return t('{amount} per million characters', { amount: formatMoney(price.amount) });
    case 'audio_second':
      return t('{amount} per second of audio', { amount: formatMoney(price.amount) });
    case 'reported':
      return t('{amount} per reported unit', { amount: formatMoney(price.amount) });
    case 'second':
      return t('{amount} per second of video', { amount: formatMoney(price.amount) });
    case 'image':
      return t('{amount} per image', { amount: formatMoney(price.amount) });
    case 'request':
      return t('{amount} per request', { amount: formatMoney(price.amount) });
    case 'search':
      return t('{amount} per search', { amount: formatMoney(price.amount) });
  }
}

/** What else the price of tokens goes by. */
function moreWords({ above, tiers, tools, batch }: Extract<Price, { unit: 'tokens' }>): string {
  const more = [
    ...(above ?? []).map((long) =>
      t('{input} in, {output} out above {input_tokens}', {
        input: formatMoney(long.input),
        output: formatMoney(long.output),
        input_tokens: long.input_tokens,
      }),
    ),
    ...Object.entries(tiers ?? {}).map(([name, factor]) => t('x {factor} as {name}', { factor, name })),
    ...Object.entries(tools ?? {}).map(([name, amount]) =>
      t('{amount} per use of {name}', { amount: formatMoney(amount), name }),
    ),
    ...(batch === undefined || batch === null ? [] : [t('x {batch} in batches', { batch })]),
  ];
  return more.length === 0 ? '' : `; ${more.join('; ')}`;
}
