// All rows of the catalogue, read at once: it is small, changes seldom and is kept in memory whole.
import type { Reads } from '../store.ts';
import type { ChannelKeysTable, ChannelsTable, FlagsTable, GroupsTable, ModelsTable } from '../tables.ts';

export interface CatalogueRows {
  models: ModelsTable[];
  groups: GroupsTable[];
  flags: FlagsTable[];
  channels: ChannelsTable[];
  /** In the order of their positions. */
  channelKeys: Pick<ChannelKeysTable, 'id' | 'channel_id' | 'ciphertext' | 'status'>[];
}

/** Of one moment: a channel is never seen without the keys it had. */
export function readCatalogueRows(database: Reads): Promise<CatalogueRows> {
  return database.transaction().setIsolationLevel('repeatable read').execute(readRows);
}

async function readRows(reads: Reads): Promise<CatalogueRows> {
  const [models, groups, flags, channels, channelKeys] = await Promise.all([
    reads.selectFrom('models').selectAll().orderBy('id').execute(),
    reads.selectFrom('groups').selectAll().orderBy('name').execute(),
    reads.selectFrom('flags').selectAll().orderBy('name').execute(),
    reads.selectFrom('channels').selectAll().orderBy('id').execute(),
    reads.selectFrom('channel_keys').select(['id', 'channel_id', 'ciphertext', 'status']).orderBy('position').execute(),
  ]);
  return { models, groups, flags, channels, channelKeys };
}
