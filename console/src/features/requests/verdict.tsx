// How a request ended and why, in one look.
import { Alert, Group, Text } from '@mantine/core';
import type { RequestDetail } from '#contract/requests.ts';
import { StateBadge } from '../../components/badges.tsx';
import { Icon } from '../../components/icon.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { t } from '../../i18n/t.ts';
import { errorMeanings } from './error-meanings.ts';

export function Verdict({ request }: { request: RequestDetail }) {
  const { status, error_code, task_status, task_id, mode } = request;
  const videoFailed = task_status === 'FAILURE';
  const failed = status >= 400 || error_code !== null || videoFailed;
  const why = reasonOf(request);
  return (
    <Alert
      color={failed ? (status >= 500 || videoFailed ? 'red' : 'yellow') : 'gray'}
      variant="light"
      icon={<Icon name={failed ? 'warning' : 'check'} />}
      role="status"
    >
      <Group gap={8} mb={why === undefined ? 0 : 4}>
        <Text fw={600} component="span">
          {headline(request)}
        </Text>
        <Text span size="sm" className="numeric">
          {status}
        </Text>
        {error_code !== null && (
          <Text span size="sm" className="mono long">
            {error_code}
          </Text>
        )}
        {mode === 'test' && <StateBadge state="test" />}
      </Group>
      {why !== undefined && (
        <Text size="sm" className="long">
          {why}
        </Text>
      )}
      {videoFailed && task_id !== null && (
        <PageLink to="/tasks/$id" params={{ id: task_id }}>
          {t('Why the video failed')}
        </PageLink>
      )}
    </Alert>
  );
}

function headline({ status, error_code, task_status }: RequestDetail): string {
  if (task_status === 'FAILURE') return t('The submit was taken, and the video failed later');
  if (status === 499 || error_code === 'client_gone') return t('The client left');
  if (status >= 500) return t('Failed');
  if (status >= 400) return t('Refused');
  if (error_code !== null) return t('Broke off after it had begun');
  if (task_status !== null && task_status !== 'SUCCESS') return t('Taken; the video is not done yet');
  return t('Answered');
}

/** The one that the gateway knows, else what its code means. */
function reasonOf({ error_code, reason, attempts }: RequestDetail): string | undefined {
  if (reason !== null) return reason;
  const meaning = error_code === null ? undefined : errorMeanings[error_code];
  const words = attempts.findLast(({ message }) => message !== undefined)?.message;
  return meaning === undefined || words === undefined
    ? meaning
    : `${meaning} ${t('The last one said: {words}', { words })}`;
}
