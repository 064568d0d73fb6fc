// Channels and their sealed keys.
import type { Reads, Transaction } from '../store.ts';
import type { ChannelKeysTable, ChannelsTable } from '../tables.ts';
import { nameMatches } from './name-matches.ts';
import { type Change, changeIn, findBy, insertInto, pageOf, type Paging } from './rows.ts';

export type ChannelRow = ChannelsTable;
export type ChannelKeyRow = ChannelKeysTable;
export type ChannelChanges = Partial<Omit<ChannelRow, 'id' | 'sandbox' | 'created_at'>>;

const OF_CHANNEL = [
  'channel_keys',
  'channel_key_states',
  'channel_key_calls',
  'channel_key_errors',
  'channel_memory',
  'channel_calls',
] as const;

export interface ChannelListing extends Paging {
  provider?: string | undefined;
  status?: ChannelRow['status'] | undefined;
  /** Part of the name, or the whole id. */
  name?: string | undefined;
}

export const findChannel = findBy('channels', 'id');
export const findChannelByName = findBy('channels', 'name');

/** Newest first. */
export async function listChannels(reads: Reads, listing: ChannelListing): Promise<ChannelRow[]> {
  let query = pageOf(reads, 'channels', listing);
  if (listing.provider !== undefined) query = query.where('provider', '=', listing.provider);
  if (listing.status !== undefined) query = query.where('status', '=', listing.status);
  if (listing.name !== undefined) query = query.where(nameMatches(listing.name));
  return query.execute();
}

/** By id of the key; those that are gone have none. */
export async function keyHints(reads: Reads, keyIds: readonly string[]): Promise<Map<string, string>> {
  if (keyIds.length === 0) return new Map();
  const rows = await reads
    .selectFrom('channel_keys')
    .select(['id', 'hint'])
    .where('id', 'in', [...keyIds])
    .execute();
  return new Map(rows.map(({ id, hint }) => [id, hint]));
}

export const insertChannel = insertInto('channels');
export const updateChannel: Change<ChannelChanges> = changeIn('channels');

export async function deleteChannel(transaction: Transaction, id: string): Promise<void> {
  for (const table of OF_CHANNEL) await transaction.deleteFrom(table).where('channel_id', '=', id).execute();
  await transaction.deleteFrom('channels').where('id', '=', id).execute();
}

/** Of the named channels, in the order of their keys. */
export async function listChannelKeys(reads: Reads, channelIds: string[]): Promise<ChannelKeyRow[]> {
  if (channelIds.length === 0) return [];
  return reads
    .selectFrom('channel_keys')
    .selectAll()
    .where('channel_id', 'in', channelIds)
    .orderBy('channel_id')
    .orderBy('position')
    .execute();
}

export async function replaceChannelKeys(
  transaction: Transaction,
  channelId: string,
  rows: ChannelKeyRow[],
): Promise<void> {
  for (const table of ['channel_keys', 'channel_key_states', 'channel_key_errors'] as const)
    await transaction.deleteFrom(table).where('channel_id', '=', channelId).execute();
  await addChannelKeys(transaction, rows);
}

export const addChannelKeys = insertInto('channel_keys');

export async function setKeyStatus(
  transaction: Transaction,
  id: string,
  status: ChannelKeyRow['status'],
): Promise<void> {
  await transaction.updateTable('channel_keys').set({ status }).where('id', '=', id).execute();
}

/** Its calls of the last day stay: they were the channel's too. */
export async function deleteChannelKey(transaction: Transaction, channelId: string, id: string): Promise<void> {
  for (const table of ['channel_key_states', 'channel_key_errors'] as const)
    await transaction.deleteFrom(table).where('channel_id', '=', channelId).where('key_id', '=', id).execute();
  await transaction.deleteFrom('channel_keys').where('channel_id', '=', channelId).where('id', '=', id).execute();
}
