// Configuration files that `tollgate apply` has applied, and what differs from each by now: what, by whom and when.
import { Code, Stack, Table, Text } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { type AppliedConfig, appliedConfigList, type ConfigDrift } from '#contract/config-file.ts';
import { plural, t } from '../../i18n/t.ts';
import { Card } from '../../components/card.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { Shown } from '../../components/states.tsx';
import { When } from '../../components/when.tsx';
import { callApi } from '../../lib/api-client.ts';

const configFilesQuery = queryOptions({
  queryKey: ['/config-files'],
  queryFn: ({ signal }) => callApi('GET', '/config-files', { schema: appliedConfigList, signal }),
});

const KINDS: Readonly<Record<string, string>> = {
  groups: t('Group'),
  accounts: t('Account'),
  flags: t('Flag'),
  models: t('Model'),
  channels: t('Channel'),
  tokens: t('Token'),
  alert_rules: t('Alert rule'),
  alert_sinks: t('Alert sink'),
};

export function ConfigFilesCard() {
  return (
    <Card
      title={t('Configuration files')}
      description={t('Files that “tollgate apply” has applied, and what differs from them by now.')}
    >
      <Shown query={useQuery(configFilesQuery)}>
        {({ data }) =>
          data.length === 0 ? (
            <Text size="sm" c="dimmed">
              {t('No file was applied yet. “tollgate export” prints what is here as a file.')}
            </Text>
          ) : (
            <Stack gap="lg">
              {data.map((config) => (
                <AppliedFile key={config.name} config={config} />
              ))}
            </Stack>
          )
        }
      </Shown>
    </Card>
  );
}

function AppliedFile({ config: { name, applied_by, applied_at, drift } }: { config: AppliedConfig }) {
  return (
    <Stack gap="xs">
      <Text size="sm">
        <Code>{name}</Code> {t('applied by {name}', { name: applied_by })}, <When at={applied_at} exact />
      </Text>
      {drift.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('Everything is as the file says.')}
        </Text>
      ) : (
        <>
          <Text size="sm" fw={600}>
            {plural(drift.length, 'One thing differs from the file', '{count} things differ from the file')}
          </Text>
          <DriftTable name={name} drift={drift} />
          <Text size="sm" c="dimmed">
            {t('“tollgate plan” shows the difference, “tollgate apply” makes it as the file says again.')}
          </Text>
        </>
      )}
    </Stack>
  );
}

function DriftTable({ name, drift }: { name: string; drift: ConfigDrift[] }) {
  return (
    <Table.ScrollContainer minWidth={320}>
      <Table aria-label={t('Differs from {name}', { name })} className="stacked">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('Kind')}</Table.Th>
            <Table.Th>{t('Name')}</Table.Th>
            <Table.Th>{t('What happened')}</Table.Th>
            <Table.Th>{t('By')}</Table.Th>
            <Table.Th>{t('When')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {drift.map((one) => (
            <Table.Tr key={`${one.kind} ${one.name}`}>
              <Table.Td>{KINDS[one.kind] ?? one.kind}</Table.Td>
              <Table.Td className="long">
                <Subject drift={one} />
              </Table.Td>
              <Table.Td className="long">
                {one.action === 'removed' ? t('Removed') : t('Changed: {fields}', { fields: one.fields.join(', ') })}
              </Table.Td>
              <Table.Td>{one.changed_by ?? '—'}</Table.Td>
              <Table.Td>{one.changed_at === null ? '—' : <When at={one.changed_at} />}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** Only what is there has a page. */
function Subject({ drift: { kind, name, id } }: { drift: ConfigDrift }) {
  if (id === null) return name;
  if (kind === 'channels')
    return (
      <PageLink to="/channels/$id" params={{ id }}>
        {name}
      </PageLink>
    );
  if (kind === 'accounts')
    return (
      <PageLink to="/accounts/$id" params={{ id }}>
        {name}
      </PageLink>
    );
  if (kind === 'tokens')
    return (
      <PageLink to="/tokens/$id" params={{ id }}>
        {name}
      </PageLink>
    );
  return name;
}
