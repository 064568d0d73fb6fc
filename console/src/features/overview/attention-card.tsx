// What needs attention, with the way to where it can be mended.
import { Group, Stack, Text, ThemeIcon } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { attention } from '#contract/attention.ts';
import { t } from '../../i18n/t.ts';
import { Card } from '../../components/card.tsx';
import { Icon } from '../../components/icon.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { ErrorState, LoadingRows } from '../../components/states.tsx';
import { SubjectLink } from '../../components/subject-link.tsx';
import { callApi } from '../../lib/api-client.ts';
import { type Concern, findConcerns } from './attention.ts';

const attentionQuery = queryOptions({
  queryKey: ['/attention'],
  refetchInterval: 10_000,
  queryFn: ({ signal }) => callApi('GET', '/attention', { schema: attention, signal }),
});

export function AttentionCard() {
  const { data, error, refetch } = useQuery(attentionQuery);
  if (data === undefined) {
    return (
      <Card title={t('Needs attention')}>
        {error === null ? <LoadingRows rows={2} /> : <ErrorState error={error} retry={() => void refetch()} />}
      </Card>
    );
  }
  const concerns = findConcerns(data);
  return (
    <Card title={t('Needs attention')}>
      {concerns.length === 0 ? (
        <Group gap="sm" wrap="nowrap">
          <ThemeIcon variant="light" color="green" radius="xl">
            <Icon name="check" size={16} />
          </ThemeIcon>
          <Text size="sm">{t('Nothing. No channel is shut off, no key rejected, no balance low.')}</Text>
        </Group>
      ) : (
        <Stack gap="md">
          {concerns.slice(0, 8).map((concern) => (
            <ConcernRow key={concern.id} concern={concern} />
          ))}
        </Stack>
      )}
    </Card>
  );
}

function ConcernRow({ concern: { grave, title, detail, page } }: { concern: Concern }) {
  return (
    <Group gap="sm" wrap="nowrap" align="flex-start">
      <ThemeIcon variant="light" color={grave ? 'red' : 'yellow'} radius="xl">
        <Icon name="warning" size={16} />
      </ThemeIcon>
      <div>
        {page.to === '/requests/$id' ? (
          <PageLink to={page.to} params={{ id: page.id }} className="long">
            {title}
          </PageLink>
        ) : (
          <SubjectLink page={page}>{title}</SubjectLink>
        )}
        <Text size="sm" c="dimmed">
          {detail}
        </Text>
      </div>
    </Group>
  );
}
