// What an import changes in a price: each amount that differs, with how much more or less it becomes.
import type { Price } from '#contract/prices.ts';
import { t } from '../../i18n/t.ts';
import { formatMoney } from '../../lib/format-money.ts';

export interface PriceStep {
  field: string;
  from: string;
  to: string;
  /** Such as +20 %; undefined where there is nothing to compare. */
  share: string | undefined;
}

export function priceSteps(before: Price, after: Price): PriceStep[] {
  const [old, next] = [amountsOf(before), amountsOf(after)];
  return [...new Set([...old.keys(), ...next.keys()])].flatMap((field) => {
    const [from, to] = [old.get(field), next.get(field)];
    if (from === to || (isNumber(from) && isNumber(to) && Number(from) === Number(to))) return [];
    return [{ field, from: shown(from), to: shown(to), share: shareOf(from, to) }];
  });
}

/** Every amount and word of a price by its path, such as `above 200000 input`. */
function amountsOf(price: object, path: string[] = []): Map<string, string> {
  const amounts = new Map<string, string>();
  for (const [name, value] of Object.entries(price) as [string, unknown][]) {
    if (value === null || value === undefined) continue;
    const here = [...path, name.replaceAll('_', ' ')];
    if (Array.isArray(value)) {
      for (const one of value as { input_tokens?: number }[])
        for (const [field, amount] of amountsOf(one, [...here, String(one.input_tokens ?? '')]))
          amounts.set(field, amount);
    } else if (typeof value === 'object')
      for (const [field, amount] of amountsOf(value, here)) amounts.set(field, amount);
    else amounts.set(here.join(' '), typeof value === 'string' ? value : JSON.stringify(value));
  }
  return amounts;
}

function isNumber(text: string | undefined): text is string {
  return text !== undefined && /^\d+(\.\d+)?$/.test(text);
}

function shown(text: string | undefined): string {
  if (text === undefined) return t('none');
  return isNumber(text) ? formatMoney(text) : text;
}

function shareOf(from: string | undefined, to: string | undefined): string | undefined {
  if (!isNumber(from) || !isNumber(to) || Number(from) === 0) return undefined;
  const percent = (Number(to) / Number(from) - 1) * 100;
  const rounded = Math.abs(percent) < 10 ? percent.toFixed(1) : percent.toFixed(0);
  return `${percent > 0 ? '+' : ''}${rounded.replace('-', '\u2212')} %`;
}
