// What one line may cost at most, at the price of a batch. Throws what is wrong with its body or its model.
import type { Principal } from '../../access/principal.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { invalidRequest } from '../../errors/gateway-error.ts';
import { admitQuote } from '../../relay/admit.ts';
import { Bill } from '../../relay/bill.ts';
import type { LineKind } from '../lines/line-kinds.ts';

export interface LineEstimate {
  amount: bigint;
  /** Price and multiplier in force now, as JSON text. */
  price: string;
}

export function estimateLine(
  catalogue: Catalogue,
  principal: Principal,
  { kind: { protocol, read }, body }: { kind: LineKind; body: Buffer },
): LineEstimate {
  const request = read(body);
  if (request.stream) throw invalidRequest("'stream' must not be true in a batch.", 'stream');
  if (request.background === true) throw invalidRequest("'background' must not be true in a batch.", 'background');
  const asked = { protocol, request, strict: principal.strict };
  const { model, request: sent } = admitQuote(catalogue, principal, asked);
  const bill = new Bill(catalogue, { model, group: principal.group, protocol, request: sent, isBatch: true });
  return { amount: bill.holdAmount, price: bill.priceText };
}
