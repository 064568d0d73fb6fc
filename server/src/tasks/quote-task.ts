// What a video task would cost, worked out as for its hold, without a hold or a call upstream.
import type { Principal } from '../access/principal.ts';
import { formatAmount } from '../billing/money.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import type { VideoRequest } from '../neutral/video.ts';
import { findProvider } from '../providers/registry.ts';
import { admitVideoQuote } from '../relay/admit.ts';
import type { Quote } from '../relay/quote.ts';
import { holdFor, wireUsage } from './task-bill.ts';

/** Throws what the submit itself would be answered. */
export function quoteTask(catalogue: Catalogue, principal: Principal, request: VideoRequest): Quote {
  const { model, channel } = admitVideoQuote(catalogue, principal, request.model);
  const plan = findProvider(channel.provider)?.video?.plan(request, channel.models.get(model.id) ?? model.id);
  if (plan === undefined) throw new GatewayError('no_channel_available'); // not after admission, which found the provider
  const { text, amount, arithmetic } = holdFor(catalogue, { model, group: principal.group, plan });
  const { price, multiplier } = JSON.parse(text) as { price: unknown; multiplier: string };
  return {
    object: 'quote',
    model: model.id,
    group: principal.group,
    multiplier,
    price,
    amount: formatAmount(amount),
    arithmetic,
    usage: wireUsage(plan.estimate),
    exact: false, // the provider reports what it made
  };
}
