// Channels as operators see them. Keys and the values of headers are sealed before they reach the store and come back only
// as hints.
import { type ChannelOptions, type ChannelOptionsPatch, defaultChannelOptions } from '#contract/channel-options.ts';
import type { ChannelCreate, ChannelPatch, ChannelSettings } from '#contract/channels.ts';
import { invalidRequest } from '../../errors/gateway-error.ts';
import { makeId, makeIdOfSecond } from '../../shared/ids.ts';
import type { SecretBox } from '../../shared/secret-box.ts';
import { type SealedProxy, sealProxy } from '../../shared/sealed-proxy.ts';
import { changeHeaders, headerHints, hintOf, sealHeaders } from '../../shared/sealed-headers.ts';
import { findAccount } from '../../store/queries/accounts.ts';
import {
  addChannelKeys,
  type ChannelKeyRow,
  type ChannelRow,
  findChannel,
  findChannelByName,
  insertChannel,
  listChannelKeys,
  replaceChannelKeys,
  updateChannel,
} from '../../store/queries/channels.ts';
import type { Reads, Transaction } from '../../store/store.ts';
import { withEtag } from '../etag.ts';
import { refuseTaken, required } from '../not-found.ts';
import { given, readList, readMap, writeList } from './json-columns.ts';

export interface ChannelInput extends ChannelCreate {
  /** Marks a channel of the built-in sandbox. */
  sandbox?: boolean;
}

export function writeChannel(row: ChannelRow, keys: ChannelKeyRow[]): ChannelSettings {
  return withEtag({
    id: row.id,
    name: row.name,
    provider: row.provider,
    base_url: row.base_url,
    keys: keys.filter((key) => key.channel_id === row.id).map(({ id, hint, status }) => ({ id, hint, status })),
    models: readMap(row.models),
    groups: readList(row.groups),
    priority: row.priority,
    weight: row.weight,
    status: row.status,
    headers: headerHints(row.headers),
    options: readOptions(row),
    sandbox: row.sandbox === 1,
    created_at: row.created_at,
  });
}

export async function getChannel(reads: Reads, id: string): Promise<ChannelSettings> {
  const row = await requireChannel(reads, id);
  return writeChannel(row, await listChannelKeys(reads, [id]));
}

export async function createChannel(
  transaction: Transaction,
  input: ChannelInput,
  { secretBox, at }: { secretBox: SecretBox; at: number },
): Promise<ChannelSettings> {
  await refuseTakenName(transaction, input.name);
  await refuseUnknownAccount(transaction, input.options.account_id);
  const row: ChannelRow = {
    id: makeIdOfSecond('chn', at),
    name: input.name,
    provider: input.provider,
    base_url: withoutTrailingSlash(input.base_url),
    models: JSON.stringify(input.models),
    groups: writeList(input.groups),
    priority: input.priority,
    weight: input.weight,
    status: input.status,
    headers: sealHeaders(input.headers, secretBox),
    options: JSON.stringify(changedOptions({ ...defaultChannelOptions, proxy: null }, input.options, secretBox)),
    sandbox: input.sandbox === true ? 1 : 0,
    created_at: at,
  };
  const keys = sealKeys(row.id, input.keys, secretBox);
  await insertChannel(transaction, row);
  await replaceChannelKeys(transaction, row.id, keys);
  return writeChannel(row, keys);
}

export async function changeChannel(
  transaction: Transaction,
  id: string,
  { patch, secretBox }: { patch: ChannelPatch; secretBox: SecretBox },
): Promise<{ channel: ChannelSettings; headersChanged: boolean }> {
  const row = await requireChannel(transaction, id);
  if (patch.name !== undefined && patch.name !== row.name) await refuseTakenName(transaction, patch.name);
  await refuseUnknownAccount(transaction, patch.options?.account_id);
  const headers = patch.headers === undefined ? row.headers : changedHeaders(row, patch.headers, secretBox);
  await updateChannel(transaction, id, {
    ...given(patch, 'name', 'provider', 'priority', 'weight', 'status'),
    ...(patch.base_url !== undefined && { base_url: withoutTrailingSlash(patch.base_url) }),
    ...(patch.models !== undefined && { models: JSON.stringify(patch.models) }),
    ...(patch.groups !== undefined && { groups: writeList(patch.groups) }),
    ...(headers !== row.headers && { headers }),
    ...(patch.options !== undefined && {
      options: JSON.stringify(changedOptions(storedOptions(row), patch.options, secretBox)),
    }),
  });
  if (patch.keys !== undefined) await replaceChannelKeys(transaction, id, sealKeys(id, patch.keys, secretBox));
  return { channel: await getChannel(transaction, id), headersChanged: headers !== row.headers };
}

type StoredOptions = Omit<ChannelOptions, 'proxy'> & { proxy: SealedProxy | null };

function storedOptions(row: ChannelRow): StoredOptions {
  return { ...defaultChannelOptions, proxy: null, ...(JSON.parse(row.options) as Partial<StoredOptions>) };
}

function readOptions(row: ChannelRow): ChannelOptions {
  const stored = storedOptions(row);
  return { ...stored, proxy: stored.proxy?.hint ?? null };
}

/** A proxy that is given as its hint stays as it is. */
function changedOptions(before: StoredOptions, patch: ChannelOptionsPatch, secretBox: SecretBox): object {
  const { proxy, ...rest } = patch;
  const isKept = proxy === undefined || proxy === before.proxy?.hint;
  return { ...before, ...rest, proxy: isKept ? before.proxy : proxy === null ? null : sealProxy(proxy, secretBox) };
}

/** The same settings and keys under another name. It is disabled: nothing is sent to it before somebody has looked at it. */
export async function cloneChannel(
  transaction: Transaction,
  id: string,
  { name, at }: { name: string; at: number },
): Promise<ChannelSettings> {
  const row = await requireChannel(transaction, id);
  await refuseTakenName(transaction, name);
  const copy: ChannelRow = {
    ...row,
    id: makeIdOfSecond('chn', at),
    name,
    status: 'disabled',
    sandbox: 0,
    created_at: at,
  };
  const keys = (await listChannelKeys(transaction, [id])).map((key) => ({
    ...key,
    id: makeId('key'),
    channel_id: copy.id,
  }));
  await insertChannel(transaction, copy);
  await addChannelKeys(transaction, keys);
  return writeChannel(copy, keys);
}

async function refuseTakenName(reads: Reads, name: string): Promise<void> {
  refuseTaken(await findChannelByName(reads, name), `There is a channel named "${name}" already.`);
}

async function requireChannel(reads: Reads, id: string): Promise<ChannelRow> {
  return required(await findChannel(reads, id), 'channel', id);
}

async function refuseUnknownAccount(reads: Reads, accountId: string | null | undefined): Promise<void> {
  if (accountId === null || accountId === undefined || (await findAccount(reads, accountId)) !== undefined) return;
  throw invalidRequest(`"options.account_id" names no account.`, 'options.account_id');
}

function sealKeys(channelId: string, keys: string[], secretBox: SecretBox): ChannelKeyRow[] {
  return [...new Set(keys)].map((key, position) => ({
    id: makeId('key'),
    channel_id: channelId,
    position,
    ciphertext: secretBox.seal(key),
    hint: hintOf(key),
    status: 'enabled',
  }));
}

function changedHeaders(row: ChannelRow, headers: Record<string, string>, secretBox: SecretBox): string {
  const changed = changeHeaders(row.headers, headers, secretBox);
  if ('text' in changed) return changed.text;
  const name = `headers.${changed.unknown}`;
  throw invalidRequest(
    `"${name}" holds a hint, and no value that it could stand for is stored: write the value.`,
    name,
  );
}

function withoutTrailingSlash(address: string): string {
  return address.replace(/^([^?]*?)\/+(?=\?|$)/, '$1');
}
