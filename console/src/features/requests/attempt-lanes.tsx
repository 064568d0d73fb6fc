// The channels that were asked, as a waterfall: when each began, when its first byte came, when it ended, and in whose words it failed.
import { Group, Stack, Text } from '@mantine/core';
import type { LoggedRequest } from '#contract/requests.ts';
import { HttpBadge } from '../../components/badges.tsx';
import { Card } from '../../components/card.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { EmptyState } from '../../components/states.tsx';
import { t } from '../../i18n/t.ts';
import { useChannelNames } from '../../lib/choices.ts';
import { formatMilliseconds } from '../../lib/format-time.ts';
import { type Lane, waterfallOf } from './waterfall.ts';

/** What each class of failure means for the one who reads. */
const meanings: Record<string, string> = {
  refused: t('The upstream refused the content of the request'),
  unauthorised: t("The upstream rejected the channel's key"),
  limited: t('The upstream asked to slow down'),
  overloaded: t('The upstream failed on its side'),
  'timed-out': t('The upstream took too long'),
  unreachable: t('No connection to the upstream'),
  malformed: t('The upstream answered something unreadable'),
  aborted: t('The client left while the upstream was at work'),
};

export function AttemptLanes({ request }: { request: LoggedRequest }) {
  const { lanes, total } = waterfallOf(request);
  return (
    <Card
      title={t('Route taken')}
      description={t('Every channel that was asked, in order, over {time}', { time: formatMilliseconds(total) })}
    >
      {lanes.length === 0 ? (
        <EmptyState icon="channels" title={t('No channel was asked')}>
          {t('The request ended before it was sent to an upstream.')}
        </EmptyState>
      ) : (
        <ol className="lanes" aria-label={t('Attempts')}>
          {lanes.map((lane, index) => (
            <LaneRow key={index} lane={lane} total={total} />
          ))}
        </ol>
      )}
    </Card>
  );
}

function LaneRow({ lane, total }: { lane: Lane; total: number }) {
  const channels = useChannelNames();
  const { attempt, start, firstByte, end } = lane;
  const { channel_id, status, error, key_hint, code, message } = attempt;
  const share = (at: number) => `${(at / total) * 100}%`;
  const failed = error !== null;
  return (
    <li className="lane">
      <Stack gap={2}>
        <Group gap={8}>
          {channel_id === null || channel_id === '' ? (
            '—'
          ) : (
            <PageLink to="/channels/$id" params={{ id: channel_id }} className="cut">
              {channels.get(channel_id) ?? channel_id}
            </PageLink>
          )}
          {status !== null && <HttpBadge status={status} />}
        </Group>
        {key_hint !== undefined && /\w/.test(key_hint) && (
          <Text size="xs" c="dimmed">
            {t('Key')} <span className="mono">{key_hint}</span>
          </Text>
        )}
      </Stack>
      <Stack gap={6}>
        <div className="lane-track" aria-hidden>
          <span
            className="lane-wait"
            data-failed={failed || undefined}
            style={{ left: share(start), width: share((firstByte ?? end) - start) }}
          />
          {firstByte !== undefined && (
            <span
              className="lane-answer"
              data-failed={failed || undefined}
              style={{ left: share(firstByte), width: share(end - firstByte) }}
            />
          )}
        </div>
        <Text size="xs" c="dimmed" className="numeric lane-times">
          {firstByte === undefined
            ? t('from {start} to {end}', { start: formatMilliseconds(start), end: formatMilliseconds(end) })
            : t('from {start}, first byte {first}, end {end}', {
                start: formatMilliseconds(start),
                first: formatMilliseconds(firstByte),
                end: formatMilliseconds(end),
              })}
        </Text>
        {failed && (
          <Text size="sm">
            {meanings[error] ?? error}{' '}
            <Text span size="xs" c="dimmed" className="mono">
              {code === undefined ? error : `${error} · ${code}`}
            </Text>
          </Text>
        )}
        {message !== undefined && (
          <Text size="sm" className="long upstream-words" component="blockquote">
            {message}
          </Text>
        )}
      </Stack>
    </li>
  );
}
