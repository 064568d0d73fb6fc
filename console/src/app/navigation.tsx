// The pages of the console, in the order of a working day.
import { Box, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Icon, type IconName } from '../components/icon.tsx';

interface Entry {
  to: string;
  label: string;
  icon: IconName;
}

const sections: { name: string; entries: Entry[] }[] = [
  {
    name: 'Today',
    entries: [
      { to: '/', label: 'Overview', icon: 'overview' },
      { to: '/requests', label: 'Requests', icon: 'requests' },
      { to: '/tasks', label: 'Video tasks', icon: 'video' },
      { to: '/alerts', label: 'Alerts', icon: 'warning' },
      { to: '/playground', label: 'Playground', icon: 'playground' },
    ],
  },
  {
    name: 'Customers',
    entries: [
      { to: '/accounts', label: 'Accounts', icon: 'accounts' },
      { to: '/tokens', label: 'Tokens', icon: 'tokens' },
      { to: '/groups', label: 'Groups', icon: 'groups' },
      { to: '/ledger', label: 'Ledger', icon: 'ledger' },
      { to: '/codes', label: 'Codes', icon: 'coin' },
    ],
  },
  {
    name: 'Supply',
    entries: [
      { to: '/channels', label: 'Channels', icon: 'channels' },
      { to: '/models', label: 'Models and prices', icon: 'models' },
      { to: '/flags', label: 'Flags', icon: 'flags' },
    ],
  },
  {
    name: 'House',
    entries: [
      { to: '/operators', label: 'Operators', icon: 'operators' },
      { to: '/audit', label: 'Audit log', icon: 'audit' },
      { to: '/settings', label: 'Settings', icon: 'settings' },
      { to: '/start', label: 'First steps', icon: 'start' },
    ],
  },
];

export function Navigation({ onChoose }: { onChoose(): void }) {
  return (
    <Stack gap="md" component="nav" aria-label="Main">
      {sections.map(({ name, entries }) => (
        <Box key={name}>
          <Text size="xs" fw={600} c="dimmed" px={10} mb={4}>
            {name}
          </Text>
          {entries.map(({ to, label, icon }) => (
            <Link
              key={to}
              to={to}
              className="side-link"
              activeOptions={{ exact: to === '/', includeSearch: false }}
              onClick={onChoose}
            >
              <Icon name={icon} />
              {label}
            </Link>
          ))}
        </Box>
      ))}
    </Stack>
  );
}
