// A conversation with one model: what was asked, what came back, and what it took.
import { Group, Paper, Stack, Text } from '@mantine/core';
import { PageLink } from '../../components/page-link.tsx';
import { EmptyState, ErrorState } from '../../components/states.tsx';
import { t } from '../../i18n/t.ts';
import { ApiError } from '../../lib/api-error.ts';
import { formatMilliseconds } from '../../lib/format-time.ts';
import type { Chat, ShownTurn } from './use-chat.ts';

export function ChatSide({ chat, label }: { chat: Chat; label: string }) {
  return (
    <Stack aria-live="polite" aria-busy={chat.busy} role="log" aria-label={label}>
      {chat.turns.length === 0 && <EmptyState icon="send" title={t('The answer appears here')} />}
      {chat.turns.map((turn, index) => (
        <TurnView key={index} turn={turn} busy={chat.busy && index === chat.turns.length - 1} />
      ))}
    </Stack>
  );
}

function TurnView({ turn, busy }: { turn: ShownTurn; busy: boolean }) {
  const { text, files, answer, answered, error, model } = turn;
  return (
    <Stack gap="xs">
      <Paper className="asked" p="sm">
        <Text size="sm" className="long" style={{ whiteSpace: 'pre-wrap' }}>
          {text}
        </Text>
        {files.length > 0 && (
          <Group gap="xs" mt={6}>
            {files.map(({ name, type, url }) =>
              type.startsWith('image/') ? (
                <img key={name} src={url} alt={name} className="attached" />
              ) : (
                <Text key={name} size="xs" c="dimmed">
                  {name}
                </Text>
              ),
            )}
          </Group>
        )}
      </Paper>
      {(answer !== '' || busy) && (
        <Text className="long" style={{ whiteSpace: 'pre-wrap' }} data-testid="answer">
          {answer === '' ? t('Waiting for the first byte') : answer}
        </Text>
      )}
      {error !== undefined && <ErrorState error={error} />}
      {error instanceof ApiError && error.requestId !== null && (
        <PageLink to="/requests/$id" params={{ id: error.requestId }}>
          {t('Why it failed')}
        </PageLink>
      )}
      {answered !== undefined && (
        <Group gap="md">
          <Text size="xs" c="dimmed">
            {model}, {formatMilliseconds(answered.milliseconds)}
          </Text>
          {answered.requestId !== null && (
            <PageLink to="/requests/$id" params={{ id: answered.requestId }} size="xs">
              {t('Route, usage and charge')}
            </PageLink>
          )}
        </Group>
      )}
    </Stack>
  );
}
