// Amounts are whole nano-units of the operator's currency in bigint; decimal text only at the edges. This is the only
// file that rounds.
export const NANO = 1_000_000_000n;

const AMOUNT = /^(-)?(\d{1,12})(?:\.(\d{1,9}))?$/;

/** "12.5" -> 12500000000n; undefined when the text is not an amount with up to 9 decimals. */
export function parseAmount(text: string): bigint | undefined {
  const match = AMOUNT.exec(text);
  if (match === null) return undefined;
  const nano = BigInt(match[2] ?? '0') * NANO + BigInt((match[3] ?? '').padEnd(9, '0'));
  return match[1] === '-' ? -nano : nano;
}

/** 12500000000n -> "12.5". */
export function formatAmount(nano: bigint): string {
  const positive = nano < 0n ? -nano : nano;
  const decimals = (positive % NANO).toString().padStart(9, '0').replace(/0+$/, '');
  return `${nano < 0n ? '-' : ''}${positive / NANO}${decimals === '' ? '' : `.${decimals}`}`;
}

/** numerator / denominator in whole units, halves away from zero; both are not negative. */
export function divideRounded(numerator: bigint, denominator: bigint): bigint {
  return (2n * numerator + denominator) / (2n * denominator);
}
