// The second factor of an operator: begun, confirmed by a first code, asked for at sign-in, and taken away. Every code is
// good for one use, which the transaction that uses it makes sure of.
import { type GatewayError, invalidRequest } from '../../errors/gateway-error.ts';
import { randomLetters } from '../../shared/ids.ts';
import type { SecretBox } from '../../shared/secret-box.ts';
import { type OperatorRow, updateOperator } from '../../store/queries/operators.ts';
import type { Transaction } from '../../store/store.ts';
import { digest } from './session-cookie.ts';
import { findTotpStep } from './totp.ts';

const RECOVERY_CODES = 10;
/** Four letters at a time: people copy them by hand. */
const RECOVERY_SHAPE = /.{4}/g;
const RECOVERY_LETTERS = 16;

export function hasSecondFactor({ totp_confirmed, totp_secret }: OperatorRow): boolean {
  return totp_confirmed === 1 && totp_secret !== null;
}

export function makeRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () =>
    (randomLetters(RECOVERY_LETTERS).match(RECOVERY_SHAPE) ?? []).join('-'),
  );
}

export function recoveryHashes(codes: readonly string[]): string {
  return JSON.stringify(codes.map((code) => digest(code)));
}

export function recoveryCodesLeft(row: OperatorRow): number {
  return hasSecondFactor(row) ? readHashes(row).length : 0;
}

/** Uses the code up; false when it is not a good one. */
export async function useCode(
  transaction: Transaction,
  box: SecretBox,
  { operator, code, at }: { operator: OperatorRow; code: string; at: number },
): Promise<boolean> {
  if (operator.totp_secret === null) return false;
  const given = code.trim();
  const secret = box.open(operator.totp_secret);
  const step = findTotpStep(secret, given.replaceAll(' ', ''), { at, lastStep: operator.totp_step });
  if (step !== undefined) {
    await updateOperator(transaction, operator.id, { totp_step: step });
    return true;
  }
  const hashes = readHashes(operator);
  const left = hashes.filter((hash) => hash !== digest(given));
  if (left.length === hashes.length) return false;
  await updateOperator(transaction, operator.id, { recovery_hashes: JSON.stringify(left) });
  return true;
}

export function wrongCode(): GatewayError {
  return invalidRequest('"code" is wrong, too old, or was used before.', 'code');
}

function readHashes({ recovery_hashes }: OperatorRow): string[] {
  return JSON.parse(recovery_hashes) as string[];
}
