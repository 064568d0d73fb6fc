// GET /v1/usage: what is left and what was spent, for the holder of a token (contract-2 7).
import { formatAmount } from '../../billing/money.ts';
import type { Endpoint } from '../endpoint.ts';

export const showUsage: Endpoint = async ({ balances }, exchange) => {
  const { tokenId, accountId } = exchange.principal;
  const [token, account] = await Promise.all([balances.ofToken(tokenId), balances.ofAccount(accountId)]);
  exchange.sendJson({
    object: 'usage',
    currency: balances.currency,
    token: {
      name: token.name,
      quota: amountOrNull(token.quota),
      used: formatAmount(token.used),
      remaining: amountOrNull(token.remaining),
      expires_at: token.expiresAt ?? null,
      models: token.models ?? null,
      rate: { rpm: token.rate.rpm ?? null, tpm: token.rate.tpm ?? null, concurrency: token.rate.concurrency ?? null },
    },
    account: {
      balance: formatAmount(account.balance),
      budget: amountOrNull(account.budget),
      budget_used: formatAmount(account.budgetUsed),
    },
  });
};

function amountOrNull(amount: bigint | undefined): string | null {
  return amount === undefined ? null : formatAmount(amount);
}
