// Keys of a channel that an operator has set aside: they stay, and no new request is sent with them.
import type { Migration } from './migration.ts';

export const channelKeyStatus: Migration = {
  name: '0116-channel-key-status',
  statements: () => [`alter table channel_keys add column status text not null default 'enabled'`],
};
