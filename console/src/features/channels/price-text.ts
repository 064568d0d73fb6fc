// A price in few words, for a narrow column.
import type { Price } from '#contract/prices.ts';
import { t } from '../../i18n/t.ts';
import { formatMoney } from '../../lib/format-money.ts';

export function priceText(price: Price): string {
  switch (price.unit) {
    case 'tokens':
      return t('{input} in, {output} out', { input: formatMoney(price.input), output: formatMoney(price.output) });
    case 'video_tokens':
      return t('{amount} per million video tokens', { amount: formatMoney(price.generate) });
    default:
      return `${formatMoney(price.amount)} ${unitText(price.unit)}`;
  }
}

export function unitText(unit: string): string {
  switch (unit) {
    case 'tokens':
      return t('per million tokens');
    case 'second':
      return t('per second');
    case 'audio_second':
      return t('per second of audio');
    case 'image':
      return t('per image');
    case 'request':
      return t('per request');
    case 'search':
      return t('per search');
    case 'characters':
      return t('per million characters');
    default:
      return t('per reported unit');
  }
}
