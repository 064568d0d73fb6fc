// What a video task would cost, worked out as for its hold, without holding anything or asking anybody.
import type { Principal } from '../access/principal.ts';
import { formatAmount } from '../billing/money.ts';
import { channelsCarrying } from '../catalogue/channels-by-model.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { modelAccess, reachesChannel } from '../catalogue/visible-models.ts';
import type { VideoRequest } from '../neutral/video.ts';
import { findProvider } from '../providers/registry.ts';
import { isChargedBy, type VideoPlan } from '../providers/video-provider.ts';
import type { Quote } from '../relay/quote.ts';
import { holdFor, wireUsage } from './task-bill.ts';
import { unsupportedVideoModel } from './unsupported-video-model.ts';

/** Throws what the submit itself would be told. */
export function quoteTask(catalogue: Catalogue, principal: Principal, request: VideoRequest): Quote {
  const { model } = modelAccess(catalogue, principal, request.model);
  const plan = planOf(catalogue, principal, request, model.price?.unit);
  if (plan === undefined) throw unsupportedVideoModel(catalogue, principal, model);
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
    exact: false, // the provider tells what it made
  };
}

function planOf(
  catalogue: Catalogue,
  principal: Principal,
  request: VideoRequest,
  unit: string | undefined,
): VideoPlan | undefined {
  for (const facts of channelsCarrying(catalogue, request.model)) {
    const video = findProvider(facts.provider)?.video;
    const upstreamModel = facts.models.get(request.model);
    if (video === undefined || upstreamModel === undefined || !isChargedBy(video, unit)) continue;
    if (reachesChannel(principal, facts)) return video.plan(request, upstreamModel);
  }
  return undefined;
}
