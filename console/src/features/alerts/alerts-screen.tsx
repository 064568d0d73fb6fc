// What is or was wrong, the rules that look for it, and who is notified.
import { Stack, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { alertRuleName, alertRules } from '#contract/alert-rules.ts';
import { type Alert, alertList } from '#contract/alerts.ts';
import { known, t } from '../../i18n/t.ts';
import { StateBadge } from '../../components/badges.tsx';
import { type Column, ListTable } from '../../components/data-table.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { Page } from '../../components/page.tsx';
import { EmptyState } from '../../components/states.tsx';
import { SubjectLink } from '../../components/subject-link.tsx';
import { When } from '../../components/when.tsx';
import { subjectPage } from '../../lib/subject-page.ts';
import { usePages } from '../../lib/lists.ts';
import { RulesCard } from './rules-card.tsx';
import { SinksCard } from './sinks-card.tsx';
import { stateLabel } from '../../lib/state-label.ts';

const route = getRouteApi('/alerts');

const columns: Column<Alert>[] = [
  { header: t('State'), render: (row) => <StateBadge state={row.state} /> },
  {
    header: t('Alert'),
    render: (row) => (
      <Stack gap={0} maw={560}>
        <SubjectLink page={subjectPage(row)}>{known(row.title)}</SubjectLink>
        <Text size="xs" c="dimmed" className="long" lineClamp={2}>
          {known(row.detail)}
        </Text>
      </Stack>
    ),
  },
  { header: t('Severity'), wide: true, render: (row) => <StateBadge state={row.severity} /> },
  { header: t('Rule'), wide: true, render: (row) => known(alertRules[row.rule].title) },
  { header: t('Opened'), render: (row) => <When at={row.opened_at} /> },
  {
    header: t('Resolved'),
    wide: true,
    render: (row) => (row.resolved_at === null ? '—' : <When at={row.resolved_at} />),
  },
];

export function AlertsScreen() {
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const pages = usePages({ path: '/alerts', schema: alertList, filters, refreshEvery: 5_000 });
  return (
    <Page
      title={t('Alerts')}
      description={t(
        'An alert is open as long as its rule finds what is wrong. Sinks are notified when it opens and when it is resolved.',
      )}
    >
      <ListTable
        label={t('Alerts')}
        pages={pages}
        keyOf={(row) => row.id}
        columns={columns}
        empty={
          <EmptyState icon="check" title={t('No alerts')}>
            {t('Nothing is wrong, or nothing fits these filters.')}
          </EmptyState>
        }
        tools={
          <FilterBar
            values={filters}
            onChange={(search) => void navigate({ search, replace: true })}
            filters={[
              {
                kind: 'choice',
                name: 'state',
                label: t('State'),
                choices: [
                  ['open', stateLabel('open')],
                  ['resolved', stateLabel('resolved')],
                ],
              },
              {
                kind: 'choice',
                name: 'rule',
                label: t('Rule'),
                choices: alertRuleName.options.map((name) => [name, known(alertRules[name].title)]),
              },
            ]}
          />
        }
      />
      <SinksCard />
      <RulesCard />
    </Page>
  );
}
