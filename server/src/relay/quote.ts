// What would be held for a request now, worked out as for its hold, without a hold or a call upstream.
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Principal } from '../access/principal.ts';
import type { Ledger } from '../billing/ledger.ts';
import { formatAmount } from '../billing/money.ts';
import type { Protocol, RelayRequest } from '../protocols/protocol.ts';
import { admitQuote } from './admit.ts';
import { Bill } from './bill.ts';
import { foreseeHold } from './hold-money.ts';
import { type WireCount, wireUsage } from './outcome.ts';

export interface Quote {
  object: 'quote';
  model: string;
  group: string;
  multiplier: string;
  /** As the operator set it. */
  price: unknown;
  /** Held before the call; the charge is by what is really used. */
  amount: string;
  arithmetic: string;
  usage: Record<string, WireCount>;
  /** Is the charge of a good answer this very amount? */
  exact: boolean;
}

/** Units that are charged by what was asked for. */
const EXACT_UNITS = new Set(['request', 'characters', 'search', 'image']);

/** Throws what the request itself would be answered. */
export async function quote(
  { catalogue, ledger }: { catalogue: Catalogue; ledger: Ledger },
  principal: Principal,
  { protocol, request }: { protocol: Protocol; request: RelayRequest },
): Promise<Quote> {
  const { model, request: sent } = admitQuote(catalogue, principal, { protocol, request, strict: false });
  const billing = { model, group: principal.group, protocol };
  const bill = new Bill(catalogue, { ...billing, request: sent });
  const foreseen = { ledger, catalogue, principal, billing, bill, request: sent };
  const { amount, arithmetic, usage } = await foreseeHold(foreseen);
  const { price, multiplier } = JSON.parse(bill.priceText) as { price: unknown; multiplier: string };
  return {
    object: 'quote',
    model: model.id,
    group: principal.group,
    multiplier,
    price,
    amount: formatAmount(amount),
    arithmetic,
    usage: wireUsage(usage),
    exact: EXACT_UNITS.has(model.price?.unit ?? ''),
  };
}
