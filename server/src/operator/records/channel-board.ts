// The board of channels: their settings and health, and the last day hour by hour, of channels and of their keys.
import type { BoardChannel, BoardHour } from '#contract/channel-board.ts';
import type { Channel } from '#contract/channels.ts';
import { formatAmount } from '../../billing/money.ts';
import { unixSeconds } from '../../shared/clock.ts';
import {
  type HourSums,
  type KeyErrorRow,
  type KeyHourSums,
  listChannelHours,
  listKeyErrors,
  listKeyHours,
  listKeyTimes,
} from '../../store/queries/channel-key-calls.ts';
import { type ChannelListing, listChannelKeys, listChannels } from '../../store/queries/channels.ts';
import type { Reads } from '../../store/store.ts';
import type { OperatorDependencies } from '../dependencies.ts';
import { writePage, type Page } from '../list-page.ts';
import { callFigures, withHealth } from './channel-health.ts';
import { writeChannel } from './channels.ts';

type HealthFilter = 'failing' | 'healthy' | 'unknown' | 'off';
type Dependencies = Pick<OperatorDependencies, 'channelHealth' | 'clock'>;

export interface BoardListing extends Omit<ChannelListing, 'limit'> {
  health?: HealthFilter | undefined;
  limit: number;
}

/** How many channels are looked at in one step where a page is chosen by their health. */
const AT_ONCE = 200;

export async function readBoard(
  dependencies: Dependencies,
  reads: Reads,
  { health, limit, ...listing }: BoardListing,
): Promise<Page<BoardChannel>> {
  const found: Channel[] = [];
  let { after } = listing;
  const step = health === undefined ? limit + 1 : Math.max(limit + 1, AT_ONCE);
  for (let isMore = true; isMore && found.length <= limit;) {
    const rows = await listChannels(reads, { ...listing, after, limit: step });
    const ids = rows.map(({ id }) => id);
    const keys = await listChannelKeys(reads, ids);
    const channels = await withHealth(
      dependencies,
      reads,
      rows.map((row) => writeChannel(row, keys)),
    );
    found.push(...channels.filter((channel) => health === undefined || matches(channel, health)));
    isMore = rows.length === step;
    after = ids.at(-1);
  }
  const page = writePage(found, limit, { key: ({ id }) => id, write: (channel) => channel });
  return { ...page, data: await withHours(reads, page.data, unixSeconds(dependencies.clock)) };
}

function matches({ health: { state, keys } }: Channel, wanted: HealthFilter): boolean {
  if (wanted !== 'failing') return state === wanted;
  const hasRejected = state !== 'off' && keys.some((key) => key.state === 'rejected');
  return state === 'failing' || state === 'down' || hasRejected;
}

async function withHours(reads: Reads, channels: Channel[], now: number): Promise<BoardChannel[]> {
  const ids = channels.map(({ id }) => id);
  const [hours, keyHours, keyTimes, keyErrors] = await Promise.all([
    listChannelHours(reads, ids, now),
    listKeyHours(reads, ids, now),
    listKeyTimes(reads, ids, now),
    listKeyErrors(reads, ids),
  ]);
  const [hoursOf, keyHoursOf, timesOf, errorsOf] = [hours, keyHours, keyTimes, keyErrors].map((rows) =>
    Map.groupBy<string, { channel_id: string }>(rows, ({ channel_id }) => channel_id),
  ) as [Map<string, HourSums[]>, Map<string, KeyHourSums[]>, Map<string, typeof keyTimes>, Map<string, KeyErrorRow[]>];
  return channels.map((channel): BoardChannel => {
    const paid = keyHoursOf.get(channel.id) ?? [];
    return {
      ...channel,
      charged: sumOf(paid),
      hours: writeHours(hoursOf.get(channel.id) ?? [], paid),
      key_calls: channel.keys.map(({ id }) => {
        const own = paid.filter(({ key_id }) => key_id === id);
        const times = (timesOf.get(channel.id) ?? []).filter(({ key_id }) => key_id === id);
        const error = (errorsOf.get(channel.id) ?? []).find(({ key_id }) => key_id === id);
        return {
          id,
          ...callFigures(times),
          charged: sumOf(own),
          last_error: error === undefined ? null : writeError(error),
          hours: writeHours(own, own),
        };
      }),
    };
  });
}

function sumOf(rows: KeyHourSums[]): string {
  return formatAmount(rows.reduce((sum, { amount }) => sum + amount, 0n));
}

/** `paid` may name an hour more than once, or one without calls: videos are charged when they are done. */
function writeHours(calls: HourSums[], paid: KeyHourSums[]): BoardHour[] {
  const amounts = new Map<number, bigint>();
  for (const { hour, amount } of paid) amounts.set(hour, (amounts.get(hour) ?? 0n) + amount);
  const counted = new Map(calls.map((row) => [row.hour, row]));
  return [...new Set([...counted.keys(), ...amounts.keys()])]
    .sort((a, b) => a - b)
    .map((hour) => ({
      hour,
      answered: counted.get(hour)?.answered ?? 0,
      failed: counted.get(hour)?.failed ?? 0,
      charged: formatAmount(amounts.get(hour) ?? 0n),
    }));
}

function writeError({ error_class, error_status, error_message, error_at }: KeyErrorRow) {
  return { class: error_class, status: error_status, message: error_message, at: error_at };
}
