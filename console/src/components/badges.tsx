// Small coloured words for states that appear on many pages.
import { Badge } from '@mantine/core';

const colors: Record<string, string> = {
  active: 'green',
  enabled: 'green',
  closed: 'green',
  live: 'blue',
  test: 'yellow',
  disabled: 'gray',
  open: 'red',
  'half-open': 'yellow',
  admin: 'iris',
  owner: 'iris',
  member: 'blue',
  invited: 'yellow',
  redeemed: 'gray',
  viewer: 'gray',
  metrics: 'blue',
  expired: 'red',
  credit: 'green',
  settle: 'iris',
  hold: 'yellow',
  release: 'gray',
  SUBMITTED: 'gray',
  QUEUED: 'blue',
  IN_PROGRESS: 'iris',
  SUCCESS: 'green',
  FAILURE: 'red',
  delivered: 'green',
  pending: 'yellow',
  failed: 'red',
  resolved: 'green',
  critical: 'red',
  warning: 'yellow',
};

export function StateBadge({ state }: { state: string }) {
  return (
    <Badge color={colors[state] ?? 'gray'} miw="max-content">
      {state}
    </Badge>
  );
}

export function HttpBadge({ status }: { status: number }) {
  const color = status < 400 ? 'green' : status < 500 ? 'yellow' : 'red';
  return (
    <Badge color={color} className="numeric" miw={52} styles={{ label: { overflow: 'visible' } }}>
      {status}
    </Badge>
  );
}
