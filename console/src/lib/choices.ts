// What many pages need to name things: accounts, tokens, groups, channels, models, read whole.
import { useQuery } from '@tanstack/react-query';
import { accountList } from '#contract/accounts.ts';
import { channelList } from '#contract/channels.ts';
import { groupList } from '#contract/groups.ts';
import { modelList } from '#contract/models.ts';
import { tokenList } from '#contract/tokens.ts';
import { wholeList } from './lists.ts';

export const allAccounts = wholeList('/accounts', accountList);
export const allChannels = wholeList('/channels', channelList);
export const allGroups = wholeList('/groups', groupList);
export const allModels = wholeList('/models', modelList);
export const allTokens = wholeList('/tokens', tokenList);

/** Id -> name, for tables that show ids of other things. */
export function useAccountNames(): ReadonlyMap<string, string> {
  return namesOf(useQuery(allAccounts).data);
}

export function useTokenNames(): ReadonlyMap<string, string> {
  return namesOf(useQuery(allTokens).data);
}

export function useChannelNames(): ReadonlyMap<string, string> {
  return namesOf(useQuery(allChannels).data);
}

function namesOf(items: { id: string; name: string }[] = []): ReadonlyMap<string, string> {
  return new Map(items.map(({ id, name }) => [id, name]));
}
