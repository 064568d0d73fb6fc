// Amounts are whole nano-units of the operator's currency in bigint; decimal text only at the edges. This is the only
// file that rounds.
export { formatDecimal as formatAmount, NANO, parseDecimal as parseAmount } from '../shared/decimal.ts';

/** numerator / denominator in whole units, halves away from zero; both are not negative. */
export function divideRounded(numerator: bigint, denominator: bigint): bigint {
  return (2n * numerator + denominator) / (2n * denominator);
}
