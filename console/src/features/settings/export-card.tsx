// Where ledger and request log are exported to, and how far each sink is behind. Nothing where there is no sink.
import { Table, Text } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { exportList, type ExportState } from '#contract/exports.ts';
import { plural, t } from '../../i18n/t.ts';
import { StateBadge } from '../../components/badges.tsx';
import { Card } from '../../components/card.tsx';
import { callApi } from '../../lib/api-client.ts';

const EVERY_MS = 10_000;

const exportsQuery = queryOptions({
  queryKey: ['/exports'],
  queryFn: ({ signal }) => callApi('GET', '/exports', { schema: exportList, signal }),
  refetchInterval: EVERY_MS,
});

export function ExportCard() {
  const { data } = useQuery(exportsQuery);
  if (data === undefined || data.data.length === 0) return null;
  return (
    <Card title={t('Export')} description={t('Where every row of the ledger and of the request log is written to.')}>
      <Table.ScrollContainer minWidth={320}>
        <Table aria-label={t('Sinks of the export')} className="stacked">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('Sink //export')}</Table.Th>
              <Table.Th>{t('Behind')}</Table.Th>
              <Table.Th>{t('State')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data.data.map((state) => (
              <Sink key={state.sink} state={state} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Card>
  );
}

function Sink({ state: { sink, lag_rows, lag_seconds, last_error } }: { state: ExportState }) {
  return (
    <Table.Tr>
      <Table.Td className="long">{sink}</Table.Td>
      <Table.Td>
        {lag_rows === 0
          ? t('nothing')
          : plural(lag_rows, '{count} row, {seconds} s', '{count} rows, {seconds} s', { seconds: lag_seconds })}
      </Table.Td>
      <Table.Td className="long">
        <StateBadge state={last_error === null ? 'healthy' : 'failed'} />
        {last_error !== null && <Text size="sm">{last_error}</Text>}
      </Table.Td>
    </Table.Tr>
  );
}
