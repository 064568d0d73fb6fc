// Amounts for people. They arrive as exact decimal strings and stay text all the way: no digit is ever rounded away.
import { languageTag } from '../i18n/language.ts';

const SHAPE = /^(-?)(\d+)(?:\.(\d+))?$/;

/** Grouped thousands, at least two decimals, no idle zeros after them: 1,234.50, 0.000125. */
export function formatMoney(amount: string): string {
  const match = SHAPE.exec(amount);
  if (match === null) return amount;
  const [, sign = '', whole = '0', decimals = ''] = match;
  const grouped = whole.replace(/^0+(?=\d)/, '').replace(/\B(?=(?:\d{3})+$)/g, ',');
  return `${sign === '-' ? '\u2212' : ''}${grouped}.${decimals.replace(/0+$/, '').padEnd(2, '0')}`;
}

/** For charts and tiles: two decimals, or as many as show the first digits of a small amount. */
export function formatMoneyShort(amount: number): string {
  const size = Math.abs(amount);
  if (size >= 100_000) return compact.format(amount);
  const digits = size === 0 || size >= 0.1 ? 2 : Math.min(9, 1 - Math.floor(Math.log10(size)));
  return amount.toLocaleString(languageTag, { minimumFractionDigits: 2, maximumFractionDigits: Math.max(2, digits) });
}

const compact = new Intl.NumberFormat(languageTag, { notation: 'compact', maximumFractionDigits: 1 });

export function formatCount(count: number): string {
  return Math.abs(count) >= 100_000 ? compact.format(count) : count.toLocaleString(languageTag);
}

const LEAST_SHOWN = 0.0001;

/** Two decimals, four below one; what is smaller says so. Exact amounts are shown by `formatMoney`. */
export function formatAmount(amount: string): string {
  const value = Number(amount);
  const size = Math.abs(value);
  if (size > 0 && size < LEAST_SHOWN) return value < 0 ? `>\u22120.0001` : '<0.0001';
  const text = size.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: size < 1 ? 4 : 2 });
  return value < 0 ? `\u2212${text}` : text;
}
