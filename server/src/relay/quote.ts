// What a request would cost at most, worked out as for its hold, without a hold or a call upstream.
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Principal } from '../access/principal.ts';
import { formatAmount } from '../billing/money.ts';
import type { Protocol, RelayRequest } from '../protocols/protocol.ts';
import { admitQuote } from './admit.ts';
import { Bill } from './bill.ts';
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
export function quote(
  catalogue: Catalogue,
  principal: Principal,
  { protocol, request }: { protocol: Protocol; request: RelayRequest },
): Quote {
  const { model, request: sent } = admitQuote(catalogue, principal, { protocol, request, strict: false });
  const bill = new Bill(catalogue, { model, group: principal.group, request: sent, protocol });
  const { amount, arithmetic, usage } = bill.estimate;
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
