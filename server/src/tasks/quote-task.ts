// What a video task would cost, worked out as for its hold, without holding anything or asking anybody.
import type { Principal } from '../access/principal.ts';
import { formatAmount } from '../billing/money.ts';
import { channelsCarrying } from '../catalogue/channels-by-model.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { modelAccess, reachesChannel } from '../catalogue/visible-models.ts';
import type { VideoWish } from '../neutral/video.ts';
import { findProvider } from '../providers/registry.ts';
import { isChargedBy, type VideoPlan } from '../providers/video-provider.ts';
import type { Quote } from '../relay/quote.ts';
import { holdFor, wireUsage } from './task-bill.ts';
import { unfitVideoModel } from './unfit-video-model.ts';

/** Throws what the submit itself would be told. */
export function quoteTask(catalogue: Catalogue, principal: Principal, wish: VideoWish): Quote {
  const { model } = modelAccess(catalogue, principal, wish.model);
  const plan = planOf(catalogue, principal, wish, model.price?.unit);
  if (plan === undefined) throw unfitVideoModel(catalogue, principal, model);
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
  wish: VideoWish,
  unit: string | undefined,
): VideoPlan | undefined {
  for (const facts of channelsCarrying(catalogue, wish.model)) {
    const video = findProvider(facts.provider)?.video;
    const upstreamModel = facts.models.get(wish.model);
    if (video === undefined || upstreamModel === undefined || !isChargedBy(video, unit)) continue;
    if (reachesChannel(principal, facts)) return video.plan(wish, upstreamModel);
  }
  return undefined;
}
