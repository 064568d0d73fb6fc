// Codes as operators see them, and how one is redeemed. Only digests are kept.
import type { Code, CodesCreate } from '#contract/codes.ts';
import { formatAmount, parseAmount } from '../../billing/money.ts';
import { invalidRequest } from '../../errors/gateway-error.ts';
import { makeIdOfSecond, randomLetters } from '../../shared/ids.ts';
import { type CodeRow, insertCodes, noteCredit, takeCode } from '../../store/queries/codes.ts';
import type { Transaction } from '../../store/store.ts';
import { digest } from '../sign-in/session-cookie.ts';
import { addCredit } from './credits.ts';

const PREFIX = 'tgc-';
const LETTERS = 24;

export function writeCode(row: CodeRow): Code {
  const { id, hint, note, expires_at, created_by, created_at, redeemed_at, account_id } = row;
  return {
    id,
    hint,
    amount: formatAmount(row.amount),
    note,
    expires_at,
    created_by,
    created_at,
    redeemed_at,
    account_id,
  };
}

export async function createCodes(
  transaction: Transaction,
  input: CodesCreate,
  { author, at }: { author: string; at: number },
): Promise<(Code & { code: string })[]> {
  const made = Array.from({ length: input.count }, () => {
    const code = PREFIX + randomLetters(LETTERS);
    const row: CodeRow = {
      id: makeIdOfSecond('cod', at),
      code_hash: digest(code),
      hint: `${code.slice(0, 6)}...${code.slice(-2)}`,
      amount: parseAmount(input.amount) ?? 0n,
      note: input.note,
      expires_at: input.expires_at,
      created_by: author,
      created_at: at,
      redeemed_at: null,
      account_id: null,
      member_id: null,
      ledger_id: null,
    };
    return { code, row };
  });
  await insertCodes(
    transaction,
    made.map(({ row }) => row),
  );
  return made.map(({ code, row }) => ({ ...writeCode(row), code }));
}

/** The credit and the use of the code are one transaction: neither is without the other. */
export async function redeemCode(
  transaction: Transaction,
  {
    code,
    accountId,
    memberId,
    author,
    at,
  }: { code: string; accountId: string; memberId: string; author: string; at: number },
): Promise<{ id: string; amount: string; balance: string }> {
  const row = await takeCode(transaction, digest(code.trim()), { accountId, memberId, at });
  if (row === undefined) throw invalidRequest('"code" is not known, is over, or was redeemed before.', 'code');
  const amount = formatAmount(row.amount);
  const entry = await addCredit(transaction, { accountId, amount, note: `code ${row.hint}`, author }, at);
  await noteCredit(transaction, row.id, BigInt(entry.id));
  return { id: row.id, amount, balance: entry.balance_after };
}
