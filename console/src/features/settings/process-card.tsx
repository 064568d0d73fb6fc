// How the gateway itself runs, to be read only: what it is set to comes from its environment.
import { Code, Stack, Table, Text } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { type ProcessState, processState } from '#contract/process-state.ts';
import { known, t } from '../../i18n/t.ts';
import { StateBadge } from '../../components/badges.tsx';
import { Card } from '../../components/card.tsx';
import { Facts } from '../../components/facts.tsx';
import { Shown } from '../../components/states.tsx';
import { When } from '../../components/when.tsx';
import { callApi } from '../../lib/api-client.ts';

const stores = { sqlite: t('SQLite, in the data folder'), postgres: 'PostgreSQL' } as const;
const redisWords = { not_used: t('not used'), reachable: t('reachable'), away: t('away') } as const;
const MEGABYTE = 1024 * 1024;

const processQuery = queryOptions({
  queryKey: ['/process'],
  queryFn: ({ signal }) => callApi('GET', '/process', { schema: processState, signal }),
});

export function ProcessCard() {
  return (
    <Card
      title={t('This gateway')}
      description={t('Read only: these come from the environment, and change with a new start.')}
    >
      <Shown query={useQuery(processQuery)}>{(state) => <State state={state} />}</Shown>
    </Card>
  );
}

function State({ state }: { state: ProcessState }) {
  return (
    <Stack>
      <Facts
        facts={[
          [t('Version'), `Tollgate ${state.version}, Node ${state.node_version}`],
          [t('Running since'), <When key="since" at={state.started_at} exact />],
          [t('Store'), stores[state.store]],
          ['Redis', <StateBadge key="redis" state={redisWords[state.redis]} />],
          ...state.workers.map(({ worker, rss_bytes, heap_bytes }): [string, string] => [
            t('Worker {worker}', { worker }),
            t('{memory} MB of memory, {heap} MB of it heap', {
              memory: Math.round(rss_bytes / MEGABYTE),
              heap: Math.round(heap_bytes / MEGABYTE),
            }),
          ]),
        ]}
      />
      <Table.ScrollContainer minWidth={320}>
        <Table aria-label={t('Settings in force')} className="stacked">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('Variable')}</Table.Th>
              <Table.Th>{t('Value in force')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {state.settings.map(({ name, value }) => (
              <Table.Tr key={name}>
                <Table.Td>
                  <Code>{name}</Code>
                </Table.Td>
                <Table.Td className="long">
                  {value === '' ? (
                    <Text size="sm" c="dimmed">
                      {t('not set')}
                    </Text>
                  ) : (
                    known(value)
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Stack>
  );
}
