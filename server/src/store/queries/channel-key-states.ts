// Which keys are out for everybody, and why. A version tells a process whether it has seen a row as it is.
import { storable } from '../../shared/plain-text.ts';
import type { Reads, Store } from '../store.ts';
import type { ChannelKeyStatesTable } from '../tables.ts';

export type KeyStateRow = ChannelKeyStatesTable;

/** Rows of keys that have been forgotten by everybody are removed after this time. */
const KEEP_SECONDS = 86_400;

export async function listKeyStates(reads: Reads, channelIds?: readonly string[]): Promise<KeyStateRow[]> {
  const query = reads.selectFrom('channel_key_states').selectAll();
  return (channelIds === undefined ? query : query.where('channel_id', 'in', channelIds)).execute();
}

/** Resolves with the version that was written. */
export async function putKeyState(store: Store, row: Omit<KeyStateRow, 'version'>, now: number): Promise<number> {
  const { channel_id, key_id, ...facts } = row;
  const [reason, probe_message] = [facts.reason, facts.probe_message].map((text) => text && storable(text));
  const state = { ...facts, reason: reason ?? null, probe_message: probe_message ?? null };
  return store.transaction(async (transaction) => {
    await transaction
      .deleteFrom('channel_key_states')
      .where('probe_at', '<', now - KEEP_SECONDS)
      .where((where) => where.or([where('out_until', 'is', null), where('out_until', '<', now - KEEP_SECONDS)]))
      .execute();
    const { version } = await transaction
      .insertInto('channel_key_states')
      .values({ channel_id, key_id, version: 1, ...state })
      .onConflict((conflict) =>
        conflict
          .columns(['channel_id', 'key_id'])
          .doUpdateSet((row) => ({ ...state, version: row('channel_key_states.version', '+', 1) })),
      )
      .returning('version')
      .executeTakeFirstOrThrow();
    return version;
  });
}
