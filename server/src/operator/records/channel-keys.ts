// Single keys of a channel: added, set aside, removed. The others stay as they are, with all that is known of them.
import type { ChannelSettings } from '#contract/channels.ts';
import { GatewayError, invalidRequest } from '../../errors/gateway-error.ts';
import { makeId } from '../../shared/ids.ts';
import { hintOf } from '../../shared/sealed-headers.ts';
import type { SecretBox } from '../../shared/secret-box.ts';
import {
  addChannelKeys,
  type ChannelKeyRow,
  deleteChannelKey,
  listChannelKeys,
  setKeyStatus,
} from '../../store/queries/channels.ts';
import type { Transaction } from '../../store/store.ts';
import { notFound } from '../not-found.ts';
import { getChannel } from './channels.ts';

/** As many as a channel may be created with. */
const MOST_KEYS = 100;

export async function addKeys(
  transaction: Transaction,
  channel: ChannelSettings,
  { keys, secretBox }: { keys: readonly string[]; secretBox: SecretBox },
): Promise<ChannelSettings> {
  const stored = await listChannelKeys(transaction, [channel.id]);
  const known = new Set(stored.map(({ ciphertext }) => secretBox.open(ciphertext)));
  const added = [...new Set(keys)];
  for (const [index, key] of added.entries())
    if (known.has(key)) {
      const message = `"keys[${index}]" is a key of this channel already.`;
      throw new GatewayError('conflict', { message, param: `keys[${index}]` });
    }
  if (stored.length + added.length > MOST_KEYS)
    throw invalidRequest(`A channel has at most ${MOST_KEYS} keys; this one has ${stored.length}.`, 'keys');
  const last = Math.max(-1, ...stored.map(({ position }) => position));
  const rows = added.map((key, index): ChannelKeyRow => ({
    id: makeId('key'),
    channel_id: channel.id,
    position: last + 1 + index,
    ciphertext: secretBox.seal(key),
    hint: hintOf(key),
    status: 'enabled',
  }));
  await addChannelKeys(transaction, rows);
  return getChannel(transaction, channel.id);
}

export async function changeKey(
  transaction: Transaction,
  channel: ChannelSettings,
  { keyId, status }: { keyId: string; status: ChannelKeyRow['status'] },
): Promise<ChannelSettings> {
  requireKey(channel, keyId);
  await setKeyStatus(transaction, keyId, status);
  return getChannel(transaction, channel.id);
}

export async function removeKey(
  transaction: Transaction,
  channel: ChannelSettings,
  keyId: string,
): Promise<ChannelSettings> {
  requireKey(channel, keyId);
  if (channel.keys.length === 1)
    throw new GatewayError('conflict', {
      message:
        'This is the only key of the channel, which would be called without one. Add another first, or disable it.',
    });
  await deleteChannelKey(transaction, channel.id, keyId);
  return getChannel(transaction, channel.id);
}

function requireKey({ keys }: ChannelSettings, keyId: string): void {
  if (!keys.some(({ id }) => id === keyId)) throw notFound('key', keyId);
}
