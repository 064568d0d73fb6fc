// Decimal text and the same number in whole billionths, exact both ways. Here because the catalogue reads prices and
// multipliers, billing reads amounts, and the catalogue may not import billing.
export const NANO = 1_000_000_000n;

const DECIMAL = /^(-)?(\d{1,12})(?:\.(\d{1,9}))?$/;

/** "12.5" -> 12500000000n; undefined when the text is not a decimal with up to 9 places. */
export function parseDecimal(text: string): bigint | undefined {
  const match = DECIMAL.exec(text);
  if (match === null) return undefined;
  const nano = BigInt(match[2] ?? '0') * NANO + BigInt((match[3] ?? '').padEnd(9, '0'));
  return match[1] === '-' ? -nano : nano;
}

/** 12500000000n -> "12.5". */
export function formatDecimal(nano: bigint): string {
  const positive = nano < 0n ? -nano : nano;
  const decimals = (positive % NANO).toString().padStart(9, '0').replace(/0+$/, '');
  return `${nano < 0n ? '-' : ''}${positive / NANO}${decimals === '' ? '' : `.${decimals}`}`;
}
