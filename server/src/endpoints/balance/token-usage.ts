// GET /api/usage/token/: what is left of a token, in the shape of new-api, whose unit is a 500,000th of the currency (contract-2 7).
import { NANO } from '../../billing/money.ts';
import type { Endpoint } from '../endpoint.ts';

const UNITS_PER_CURRENCY = 500_000n;

export const showTokenUsage: Endpoint = async ({ balances }, exchange) => {
  const token = await balances.ofToken(exchange.principal.tokenId);
  exchange.sendJson({
    code: true,
    message: 'ok',
    data: {
      object: 'token_usage',
      name: token.name,
      total_granted: token.quota === undefined ? 0 : asUnits(token.quota),
      total_used: asUnits(token.used),
      total_available: token.remaining === undefined ? 0 : asUnits(token.remaining),
      unlimited_quota: token.quota === undefined,
      model_limits: Object.fromEntries((token.models ?? []).map((model) => [model, true])),
      model_limits_enabled: token.models !== undefined,
      expires_at: token.expiresAt ?? 0,
    },
  });
};

function asUnits(amount: bigint): number {
  return Number((amount * UNITS_PER_CURRENCY) / NANO);
}
