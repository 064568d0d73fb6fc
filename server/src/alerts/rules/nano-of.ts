// Amounts that operators set as thresholds, in nano-units.
const NANO = 1e9;

export function nanoOf(amount: number): bigint {
  return BigInt(Math.round(amount * NANO));
}
