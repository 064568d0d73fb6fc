// The pages of the console, in the order of a working day.
import type { IconName } from '../components/icon.tsx';
import { t } from '../i18n/t.ts';

export interface PageEntry {
  to: string;
  label: string;
  icon: IconName;
}

export const sections: { name: string; entries: PageEntry[] }[] = [
  {
    name: t('Monitoring'),
    entries: [
      { to: '/', label: t('Overview'), icon: 'overview' },
      { to: '/usage', label: t('Usage'), icon: 'chart' },
      { to: '/requests', label: t('Requests'), icon: 'requests' },
      { to: '/tasks', label: t('Video tasks'), icon: 'video' },
      { to: '/alerts', label: t('Alerts'), icon: 'warning' },
      { to: '/playground', label: t('Playground'), icon: 'playground' },
    ],
  },
  {
    name: t('Customers'),
    entries: [
      { to: '/accounts', label: t('Accounts'), icon: 'accounts' },
      { to: '/tokens', label: t('Tokens'), icon: 'tokens' },
      { to: '/groups', label: t('Groups'), icon: 'groups' },
    ],
  },
  {
    name: t('Billing'),
    entries: [
      { to: '/ledger', label: t('Ledger'), icon: 'ledger' },
      { to: '/codes', label: t('Codes'), icon: 'coin' },
    ],
  },
  {
    name: t('Upstreams'),
    entries: [
      { to: '/channels', label: t('Channels'), icon: 'channels' },
      { to: '/models', label: t('Models and prices'), icon: 'models' },
      { to: '/flags', label: t('Flags'), icon: 'flags' },
    ],
  },
  {
    name: t('Admin'),
    entries: [
      { to: '/operators', label: t('Operators'), icon: 'operators' },
      { to: '/audit', label: t('Audit log'), icon: 'audit' },
      { to: '/settings', label: t('Settings'), icon: 'settings' },
      { to: '/start', label: t('First steps'), icon: 'start' },
    ],
  },
];
