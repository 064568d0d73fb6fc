// Exact decimals for worked examples: whole billionths in bigint, as the gateway itself counts.
const NANO = 1_000_000_000n;
const SHAPE = /^(\d{1,9})(?:\.(\d{1,9}))?$/;

/** undefined = not an amount. */
export function parseNano(text: string): bigint | undefined {
  const match = SHAPE.exec(text.trim());
  if (match === null) return undefined;
  return BigInt(match[1] ?? '0') * NANO + BigInt((match[2] ?? '').padEnd(9, '0'));
}

export function formatNano(nano: bigint): string {
  const decimals = (nano % NANO).toString().padStart(9, '0').replace(/0+$/, '');
  return `${nano / NANO}${decimals === '' ? '' : `.${decimals}`}`;
}

/** Halves away from zero, as charges are rounded. */
export function divideRounded(numerator: bigint, denominator: bigint): bigint {
  return (2n * numerator + denominator) / (2n * denominator);
}

export { NANO };
