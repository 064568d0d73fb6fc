// Small words for states that appear on many pages. What is as it should be is plain text: colour is for exceptions.
import { Badge, Text } from '@mantine/core';
import { t } from '../i18n/t.ts';
import { stateLabel } from '../lib/state-label.ts';

/** As it should be. */
const usual = new Set(['active', 'enabled', 'closed', 'healthy', 'SUCCESS', 'delivered', 'resolved', 'live']);

const colors: Record<string, string> = {
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
  charge: 'gray',
  settle: 'iris',
  hold: 'yellow',
  release: 'gray',
  SUBMITTED: 'gray',
  QUEUED: 'blue',
  IN_PROGRESS: 'iris',
  FAILURE: 'red',
  pending: 'yellow',
  failed: 'red',
  critical: 'red',
  warning: 'yellow',
};

export function StateBadge({ state }: { state: string }) {
  if (usual.has(state)) return <Plain text={stateLabel(state)} />;
  return (
    <Badge color={colors[state] ?? 'gray'} miw="max-content">
      {stateLabel(state)}
    </Badge>
  );
}

/** `isFailed`: what it began has failed since, such as a video. */
export function HttpBadge({ status, isFailed = false }: { status: number; isFailed?: boolean }) {
  if (isFailed)
    return (
      <Badge color="red" miw="max-content">
        {t('{status}, failed later', { status: String(status) })}
      </Badge>
    );
  if (status < 400) return <Plain text={String(status)} />;
  return (
    <Badge
      color={status < 500 ? 'yellow' : 'red'}
      className="numeric"
      miw={52}
      styles={{ label: { overflow: 'visible' } }}
    >
      {status}
    </Badge>
  );
}

function Plain({ text }: { text: string }) {
  return (
    <Text size="sm" c="dimmed" component="span" className="numeric">
      {text}
    </Text>
  );
}
