// What one line may cost at most, at the price of a batch. Throws what is wrong with its body or its model.
import type { Principal } from '../../access/principal.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { modelAccess } from '../../catalogue/visible-models.ts';
import { invalidRequest } from '../../errors/gateway-error.ts';
import { Bill } from '../../relay/bill.ts';
import { dropUnpriced } from '../../relay/drop-unpriced.ts';
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
  const { model } = modelAccess(catalogue, principal, request.model);
  const { group } = principal;
  const bill = new Bill(catalogue, { model, group, protocol, request: dropUnpriced(request, model), isBatch: true });
  return { amount: bill.holdAmount, price: bill.priceText };
}
