// How channels fare, for operators: what is remembered of them in the store, and what this process sees right now. A
// channel that does not work never looks healthy, also not after a restart.
import type { ChannelFitness, ChannelHealth } from '#contract/channel-health.ts';
import type { Channel, ChannelSettings } from '#contract/channels.ts';
import { longestIn } from '../../routing/call-record.ts';
import { unixSeconds } from '../../shared/clock.ts';
import { plainText } from '../../shared/plain-text.ts';
import { type KeyStateRow, listKeyStates } from '../../store/queries/channel-key-states.ts';
import {
  type ChannelCallsRow,
  type ChannelMemoryRow,
  type ChannelTestRow,
  FAILED_CALLS,
  listCalls,
  listMemory,
} from '../../store/queries/channel-memory.ts';
import type { Reads } from '../../store/store.ts';
import type { ChannelTestOutcome, OperatorDependencies } from '../dependencies.ts';

export const NOTHING_KNOWN: ChannelFitness = {
  state: 'unknown',
  success_rate: null,
  calls: 0,
  p95_ms: null,
  last_success_at: null,
  last_error: null,
  last_test: null,
  keys: [],
};

/** A channel that was answered within this time of its last failure is not called failing: others answer beside it. */
const ANSWERED_SECONDS = 60;

interface Known {
  memory: ChannelMemoryRow | undefined;
  calls: ChannelCallsRow[];
  keys: KeyStateRow[];
  live: ChannelHealth | undefined;
  now: number;
}

export async function withHealth(
  { channelHealth, clock }: Pick<OperatorDependencies, 'channelHealth' | 'clock'>,
  reads: Reads,
  channels: ChannelSettings[],
): Promise<Channel[]> {
  if (channels.length === 0) return [];
  const now = unixSeconds(clock);
  const ids = channels.map(({ id }) => id);
  const memories = await listMemory(reads, ids);
  const calls = await listCalls(reads, ids, now);
  const keys = await listKeyStates(reads, ids);
  const live = new Map(channelHealth().map((one) => [one.channel_id, one]));
  return channels.map((channel) => {
    const ofChannel = <T extends { channel_id: string }>(rows: T[]): T[] =>
      rows.filter(({ channel_id }) => channel_id === channel.id);
    const [memory] = ofChannel(memories);
    const known = { memory, calls: ofChannel(calls), keys: ofChannel(keys), live: live.get(channel.id), now };
    return { ...channel, health: fitness(channel, known) };
  });
}

export async function shownChannel(
  dependencies: Pick<OperatorDependencies, 'channelHealth' | 'clock'>,
  reads: Reads,
  made: ChannelSettings,
): Promise<Channel> {
  const [one] = await withHealth(dependencies, reads, [made]);
  return one ?? { ...made, health: NOTHING_KNOWN };
}

export function fitness(channel: ChannelSettings, known: Known): ChannelFitness {
  const { memory, live, now } = known;
  const keys = channel.keys.map(({ id }) => keyFitness(id, known));
  const health: ChannelFitness = {
    ...NOTHING_KNOWN,
    ...callFigures(known.calls),
    last_success_at: memory?.success_at ?? null,
    last_error: lastError(memory),
    last_test: lastTest(memory),
    keys,
  };
  if (channel.status !== 'enabled') return { ...health, state: 'off' };
  const aside = new Set(channel.keys.filter(({ status }) => status === 'disabled').map(({ id }) => id));
  const noKeyLeft =
    (keys.length > 0 && keys.every(({ id, state }) => aside.has(id) || state === 'rejected')) ||
    live?.keys.every(({ id, state }) => aside.has(id) || state === 'rejected') === true;
  if (noKeyLeft || (live !== undefined && live.breaker !== 'closed')) return { ...health, state: 'down' };
  return { ...health, state: lastKnown(health, now) };
}

/** By what was seen last: a call or a test, that was answered or not. */
function lastKnown({ last_error, last_test, last_success_at }: ChannelFitness, now: number): ChannelFitness['state'] {
  const good = Math.max(last_success_at ?? 0, last_test?.ok === true ? last_test.at : 0);
  const bad = Math.max(last_error?.at ?? 0, last_test?.ok === false ? last_test.at : 0);
  if (good === 0 && bad === 0) return 'unknown';
  const isAnsweredToo = bad - good <= ANSWERED_SECONDS && now - good <= ANSWERED_SECONDS && last_test?.ok !== false;
  return good > bad || (good > 0 && isAnsweredToo) ? 'healthy' : 'failing';
}

type Counted = Pick<ChannelCallsRow, 'bucket' | 'calls'>;

export function callFigures(rows: readonly Counted[]): Pick<ChannelFitness, 'success_rate' | 'calls' | 'p95_ms'> {
  const count = (some: readonly Counted[]): number => some.reduce((sum, { calls }) => sum + calls, 0);
  const answered = rows.filter(({ bucket }) => bucket !== FAILED_CALLS).sort((a, b) => a.bucket - b.bucket);
  const [calls, good] = [count(rows), count(answered)];
  let left = Math.ceil(0.95 * good);
  const slow = answered.find(({ calls: some }) => (left -= some) <= 0);
  return {
    calls,
    success_rate: calls === 0 ? null : Math.round((10_000 * good) / calls) / 10_000,
    p95_ms: slow === undefined ? null : longestIn(slow.bucket),
  };
}

function keyFitness(id: string, { keys, live, now }: Known): ChannelFitness['keys'][number] {
  const row = keys.find(({ key_id }) => key_id === id);
  const seen = live?.keys.find((key) => key.id === id);
  const isOut = row?.out_until !== null && row?.out_until !== undefined && row.out_until > now;
  return {
    id,
    state: isOut ? 'rejected' : (seen?.state ?? 'ready'),
    reason: (isOut ? row.reason : seen?.reason) ?? null,
    since: isOut ? row.out_since : null,
    until: isOut ? row.out_until : null,
    last_probe:
      row === undefined || row.probe_at === null
        ? null
        : {
            ok: row.probe_ok === null ? null : row.probe_ok === 1,
            message: row.probe_message ?? '',
            at: row.probe_at,
          },
  };
}

function lastError(memory: ChannelMemoryRow | undefined): ChannelFitness['last_error'] {
  if (memory?.error_at === undefined || memory.error_at === null) return null;
  const { error_at, error_class, error_status, error_message } = memory;
  return { class: error_class ?? '', status: error_status, message: error_message ?? '', at: error_at };
}

function lastTest(memory: ChannelMemoryRow | undefined): ChannelFitness['last_test'] {
  if (memory?.test_at === undefined || memory.test_at === null) return null;
  const { test_at, test_ok, test_status, test_ms, test_model, test_message } = memory;
  const [model, message] = [test_model ?? '', test_message ?? ''];
  return { ok: test_ok === 1, status: test_status, latency_ms: test_ms ?? 0, model, message, at: test_at };
}

const LONGEST_MESSAGE = 300;

export function testRow({
  id,
  model,
  result,
  at,
}: {
  id: string;
  model: string;
  result: ChannelTestOutcome;
  at: number;
}): ChannelTestRow {
  return {
    channel_id: id,
    test_at: at,
    test_ok: result.ok ? 1 : 0,
    test_status: result.status,
    test_ms: Math.round(result.latency_ms),
    test_model: model,
    test_message: plainText(result.message, LONGEST_MESSAGE),
  };
}
