// The money side of one task: what to hold at the submit, what to charge at the end, by the one price of the submit.
import { groupAt, groupInForce, readAgreed, writeAgreed } from '../billing/agreed-price.ts';
import type { Charge } from '../billing/charge.ts';
import { chargeVideo, holdVideo } from '../billing/video-charge.ts';
import type { Catalogue, Model } from '../catalogue/catalogue.ts';
import type { Price } from '../catalogue/prices.ts';
import type { VideoReport, VideoRequest, VideoUsage } from '../neutral/video.ts';
import type { VideoBill, VideoPlan, VideoProvider, VideoUnit } from '../providers/video-provider.ts';
import type { TaskRow } from '../store/queries/tasks.ts';
import type { Principal } from '../access/principal.ts';
import { formatAmount } from '../billing/money.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import { findProvider } from '../providers/registry.ts';
import { admitVideoQuote } from '../relay/admit.ts';
import type { Quote } from '../relay/quote.ts';

export interface TaskPrice {
  /** Stored with hold and task. */
  text: string;
  amount: bigint;
  arithmetic: string;
}

export function holdFor(catalogue: Catalogue, { model, group, plan }: HoldFor): TaskPrice {
  const { price } = model;
  if (price === undefined) throw new Error(`${model.id} has no price`);
  const known = groupInForce(catalogue, group);
  return {
    text: writeAgreed(price, known),
    ...holdVideo(price, known, plan.estimate),
  };
}

interface HoldFor {
  model: Model;
  group: string;
  plan: VideoPlan;
}

export interface TaskCharge extends Charge {
  /** As the request log shows it. */
  usage: Record<string, number | string>;
  /** Who counted. */
  source: VideoBill['source'];
  doubted: number | undefined;
}

/** Of a task that has succeeded. */
export function chargeFor(
  row: TaskRow,
  reported: VideoReport['reported'],
  { charged }: Pick<VideoProvider, 'charged'>,
): TaskCharge {
  const { price, multiplier } = readAgreed(row.price);
  if (price === undefined) throw new Error('the price of the task cannot be read');
  const { usage, source, doubted } = charged(JSON.parse(row.sent) as VideoPlan['sent'], reported, unitOf(price));
  // A price by reports goes by nothing else: without a report that can be true, what was held is due.
  const work = source === 'upstream' ? chargeVideo : holdVideo;
  const group = groupAt(row.group_name, multiplier);
  const charge = work(price, group, usage);
  // Units of the provider's own have no other measure than what was held for them (promise M-10).
  if (usage.by === 'reported' && source === 'upstream' && charge.amount > row.hold * MOST_TIMES) {
    const held = holdVideo(price, group, usage);
    return doubtful(held, { usage: wireUsage(usage), source: 'bounded', doubted: Number(usage.units) });
  }
  return doubtful(charge, { usage: wireUsage(usage), source, doubted });
}

const MOST_TIMES = 10n;

function doubtful(charge: Charge, facts: Pick<TaskCharge, 'usage' | 'source' | 'doubted'>): TaskCharge {
  const { doubted } = facts;
  const doubt = doubted === undefined ? '' : ` (the provider's count of ${doubted} is not believed)`;
  return { ...charge, arithmetic: `${charge.arithmetic}${doubt}`, ...facts };
}

function unitOf({ unit }: Price): VideoUnit {
  if (unit === 'second' || unit === 'video_tokens' || unit === 'reported') return unit;
  throw new Error(`videos are not charged by ${unit}`);
}

/** As the request log shows it. */
export function wireUsage(usage: VideoUsage): TaskCharge['usage'] {
  if (usage.by === 'reported') return { units: Number(usage.units) };
  return usage.by === 'time'
    ? { seconds: usage.milliseconds / 1000, resolution: usage.resolution }
    : { output_tokens: usage.tokens, tier: usage.tier };
}

/** Worked out as for its hold, without a hold or a call upstream. Throws what the submit itself would be answered. */
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
