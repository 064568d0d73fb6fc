// What many pages need to name things and to choose from: groups, channels and models are few and read whole; accounts and
// tokens are searched for.
import { accountList } from '#contract/accounts.ts';
import { channelList } from '#contract/channels.ts';
import { groupList } from '#contract/groups.ts';
import { modelList } from '#contract/models.ts';
import { wholeList } from './lists.ts';
import { type Names, useNames } from './names.ts';

/** The newest ones: for pages that begin with one of them. Choices are searched for (`SubjectSelect`). */
export const allAccounts = wholeList('/accounts', accountList);
export const allChannels = wholeList('/channels', channelList);
export const allGroups = wholeList('/groups', groupList);
export const allModels = wholeList('/models', modelList);

/** Id -> name, for tables that show ids of other things. */
export function useAccountNames(): Names {
  return useNames();
}

export function useTokenNames(): Names {
  return useNames();
}

export function useChannelNames(): Names {
  return useNames();
}
