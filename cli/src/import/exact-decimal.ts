// Exact decimal arithmetic on numbers as they are written: ratios of other programs become nano-units with one rounding.
import { divideRounded, NANO } from '../../../server/src/billing/money.ts';

export interface Exact {
  /** value = digits / 10^scale */
  digits: bigint;
  scale: number;
}

/** undefined where it is no number. */
export function exact(value: unknown): Exact | undefined {
  const found = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,3}))?$/i.exec(String(value).trim());
  const [, sign, whole = '', fraction = '', exponent = '0'] = found ?? [];
  if (found === null || whole + fraction === '') return undefined;
  const scale = fraction.length - Number(exponent);
  const digits = BigInt((sign === '-' ? '-' : '') + whole + fraction);
  return scale < 0 ? { digits: digits * 10n ** BigInt(-scale), scale: 0 } : { digits, scale };
}

export function times(...factors: readonly Exact[]): Exact {
  return {
    digits: factors.reduce((product, { digits }) => product * digits, 1n),
    scale: factors.reduce((sum, { scale }) => sum + scale, 0),
  };
}

/** In nano-units, halves away from zero. */
export function toNano(value: Exact, per: Exact = { digits: 1n, scale: 0 }): bigint {
  const numerator = value.digits * NANO * 10n ** BigInt(per.scale);
  const denominator = per.digits * 10n ** BigInt(value.scale);
  return numerator < 0n ? -divideRounded(-numerator, denominator) : divideRounded(numerator, denominator);
}

/** As people write it, without zeros at the end. */
export function shown({ digits, scale }: Exact): string {
  const text = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, '0');
  const whole = text.slice(0, text.length - scale);
  const fraction = text.slice(text.length - scale).replace(/0+$/, '');
  return `${digits < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}
