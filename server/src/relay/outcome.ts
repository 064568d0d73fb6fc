// What happened to a request, as one line of the request log, and how its money ends: charged, given back, or left open by the
// call's settlement until its upstream is done. A call whose hold stays open is counted when that is settled.
import type { Principal } from '../access/principal.ts';
import type { Charge } from '../billing/charge.ts';
import type { Usage, UsageSource } from '../neutral/usage.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import { plainText } from '../shared/plain-text.ts';
import type { RequestRow } from '../store/ledger/operations.ts';
import type { AttemptRecord } from './try-candidates.ts';
import type { Ledger } from '../billing/ledger.ts';
import { within } from '../shared/wait.ts';
import type { RequestMetrics } from '../telemetry/counted-events.ts';
import type { CallEnd, RelayCall, Settlement } from './call.ts';

export interface OutcomeFacts {
  requestId: string;
  endpoint: string;
  principal: Pick<Principal, 'accountId' | 'tokenId' | 'group' | 'mode'>;
  model: string | null;
  /** Milliseconds since 1970 and performance.now() at the request's arrival. */
  createdAt: number;
  startedAt: number;
  attempts: AttemptRecord[];
}

export interface OutcomeEnd {
  status: number;
  errorCode: string | null;
  firstByteMs: number | null;
  usage: Usage | null;
  usageSource: UsageSource | null;
  charge: Charge | null;
  /** Why the gateway itself refused it. */
  reason?: string | undefined;
}

export const NOTHING_USED = { firstByteMs: null, usage: null, usageSource: null, charge: null } as const;

export function requestRow(facts: OutcomeFacts, end: OutcomeEnd): RequestRow {
  return {
    id: facts.requestId,
    account_id: facts.principal.accountId,
    token_id: facts.principal.tokenId,
    group_name: facts.principal.group,
    endpoint: facts.endpoint,
    // Callers and upstreams write these: what goes into the books is short and of ordinary characters.
    model: facts.model === null ? null : plainText(facts.model, 200),
    channel_id: facts.attempts.at(-1)?.channel_id ?? null,
    status: end.status,
    error_code: end.errorCode === null ? null : plainText(end.errorCode, 100),
    attempts: JSON.stringify(facts.attempts),
    first_byte_ms: end.firstByteMs === null ? null : Math.round(end.firstByteMs),
    total_ms: Math.round(performance.now() - facts.startedAt),
    usage: end.usage === null ? null : JSON.stringify(wireUsage(end.usage)),
    usage_source: end.usageSource,
    charge: end.charge?.amount ?? 0n,
    arithmetic: end.charge?.arithmetic ?? null,
    mode: facts.principal.mode,
    created_at: Math.floor(facts.createdAt / 1000),
    ...(end.reason !== undefined && { reason: end.reason }),
  };
}

/** Of a request for which nothing is due. */
export function failedRow(facts: OutcomeFacts, failure: GatewayError): RequestRow {
  failure.isLogged = true;
  const { status, publicCode } = failure;
  return requestRow(facts, { ...NOTHING_USED, status, errorCode: publicCode, reason: reasonOf(failure) });
}

/** What an upstream says may repeat the prompt; the log has only words of our own. */
function reasonOf({ code, message, status }: GatewayError): string | undefined {
  return code === 'upstream_rejected' || status >= 500 ? undefined : plainText(message, 300);
}

/** A number, but for the service tier and the uses of each server-side tool. */
export type WireCount = number | string | Readonly<Record<string, number>>;

/** Zero details are left out: most answers have none. */
export function wireUsage(usage: Usage): Record<string, WireCount> {
  const wire: Record<string, WireCount> = { input_tokens: usage.input, output_tokens: usage.output };
  if (usage.cachedInput > 0) wire['cached_input_tokens'] = usage.cachedInput;
  if (usage.cacheWrite > 0) wire['cache_write_tokens'] = usage.cacheWrite;
  if (usage.audioInput > 0) wire['audio_input_tokens'] = usage.audioInput;
  if (usage.audioOutput > 0) wire['audio_output_tokens'] = usage.audioOutput;
  if (usage.imageInput > 0) wire['image_input_tokens'] = usage.imageInput;
  if (usage.imageOutput > 0) wire['image_output_tokens'] = usage.imageOutput;
  if (usage.reasoning > 0) wire['reasoning_tokens'] = usage.reasoning;
  if (usage.images > 0) wire['images'] = usage.images;
  if (usage.characters > 0) wire['characters'] = usage.characters;
  if (usage.audioMs > 0) wire['seconds'] = usage.audioMs / 1000;
  if (usage.searches > 0) wire['searches'] = usage.searches;
  if (usage.serviceTier !== undefined) wire['service_tier'] = usage.serviceTier;
  if (usage.toolUses !== undefined) wire['tools'] = usage.toolUses;
  return wire;
}

export interface EndDependencies {
  ledger: Ledger;
  metrics: RequestMetrics;
}

export type EndedCall = Omit<CallEnd, 'kind' | 'channelKey'>;

type Ending = Pick<RelayCall, 'settlement' | 'affinity' | 'reply'>;

/** How long a failure waits for its own books. */
export const ANSWER_WAIT_MS = 1_000;

/** Resolves with whether it is charged now, and not later by the settlement. The charge is durable then; if somebody else ended the hold meanwhile, the answer must not go out. */
export async function settleCall(
  { ledger, metrics }: EndDependencies,
  call: Ending,
  ended: EndedCall,
): Promise<boolean> {
  const { row } = ended;
  // What was sent upstream for a client that has left is due like what was delivered: it cannot be taken back.
  const isDelivered = call.reply.begun || call.reply.gone;
  if (call.settlement !== undefined) {
    const deferred = defer(call.settlement, call, { ...ended, kind: 'settle' });
    const isDeferred = await deferred.catch((error: unknown) => {
      throw isDelivered ? ledger.keepDue(row, error) : error;
    });
    if (isDeferred) return false;
  }
  if ((await ledger.settle(row, { isDelivered })) !== 'settled')
    throw new GatewayError('overloaded', { message: 'This request took too long and was given up.', retryAfter: 1 });
  metrics.ended(row);
  return true;
}

/**
 * Gives the whole hold back, unless the upstream goes on with the request. A client that asks right after the answer sees
 * its money back; a store that is away does not delay the answer, and what it could not end the sweeper will.
 */
export async function releaseCall({ ledger, metrics }: EndDependencies, call: Ending, ended: EndedCall): Promise<void> {
  const { settlement } = call;
  let isDeferred = false;
  const release = async (): Promise<unknown> => {
    // What cannot be deferred is given back: that is tried until it is done.
    if (settlement !== undefined)
      isDeferred = await defer(settlement, call, { ...ended, kind: 'release' }).catch(() => false);
    return isDeferred || ledger.release(ended.row);
  };
  await within(ANSWER_WAIT_MS, release());
  if (!isDeferred) metrics.ended(ended.row);
}

function defer(settlement: Settlement, { affinity }: Ending, end: Omit<CallEnd, 'channelKey'>): Promise<boolean> {
  return settlement.defer({ ...end, channelKey: affinity?.taken });
}
