// What needs attention, with the way to where it can be mended.
import { Group, Stack, Text, ThemeIcon } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { requestList } from '#contract/requests.ts';
import { Card } from '../../components/card.tsx';
import { Icon } from '../../components/icon.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { LoadingRows } from '../../components/states.tsx';
import { SubjectLink } from '../../components/subject-link.tsx';
import { openAlertsQuery } from '../../lib/open-alerts.ts';
import { callApi } from '../../lib/api-client.ts';
import { allChannels, allModels } from '../../lib/choices.ts';
import { type Concern, findConcerns } from './attention.ts';

/** Of the last day, by hours: the query stays the same meanwhile. */
const oddQuery = (now: number, filter: { usage_source: 'bounded' } | { unpriced: true }) => {
  const from = Math.floor(now / 3600) * 3600 - 86_400;
  return queryOptions({
    queryKey: ['/requests', filter, from],
    queryFn: async ({ signal }) => {
      const query = { ...filter, from, limit: 200 };
      return (await callApi('GET', '/requests', { schema: requestList, query, signal })).data;
    },
    refetchInterval: 30_000,
  });
};

export function AttentionCard({ now }: { now: number }) {
  const { data: alerts } = useQuery(openAlertsQuery);
  const { data: channels } = useQuery(allChannels);
  const { data: models } = useQuery(allModels);
  const { data: boundedRequests } = useQuery(oddQuery(now, { usage_source: 'bounded' }));
  const { data: unpricedRequests } = useQuery(oddQuery(now, { unpriced: true }));
  const known =
    alerts !== undefined &&
    channels !== undefined &&
    models !== undefined &&
    boundedRequests !== undefined &&
    unpricedRequests !== undefined;
  if (!known) {
    return (
      <Card title="Needs attention">
        <LoadingRows rows={2} />
      </Card>
    );
  }
  const concerns = findConcerns({ alerts, channels, models, boundedRequests, unpricedRequests });
  return (
    <Card title="Needs attention">
      {concerns.length === 0 ? (
        <Group gap="sm" wrap="nowrap">
          <ThemeIcon variant="light" color="green" radius="xl">
            <Icon name="check" size={16} />
          </ThemeIcon>
          <Text size="sm">Nothing. No channel is shut off, no key rejected, no balance low.</Text>
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
