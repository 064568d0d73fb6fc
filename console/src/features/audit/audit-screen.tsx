// Who changed what, append-only.
import { Button, Modal, Stack } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { type AuditEntry, auditList } from '#contract/audit.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { ListTable } from '../../components/data-table.tsx';
import { Facts } from '../../components/facts.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { Page } from '../../components/page.tsx';
import { EmptyState } from '../../components/states.tsx';
import { When } from '../../components/when.tsx';
import { t } from '../../i18n/t.ts';
import { usePages } from '../../lib/lists.ts';
import { useNames } from '../../lib/names.ts';
import { AuditSubject } from './audit-subject.tsx';
import { auditSummary } from './audit-summary.ts';
import { resourceLabels } from './resource-labels.ts';

const route = getRouteApi('/audit');
const resources = Object.entries(resourceLabels);

export function AuditScreen() {
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const names = useNames();
  const pages = usePages({ path: '/audit', schema: auditList, filters });
  const [shown, setShown] = useState<AuditEntry>();
  return (
    <Page
      title={t('Audit log')}
      description={t(
        'Every change by an operator, written together with the change itself. Nothing here is ever altered.',
      )}
    >
      <ListTable
        label={t('Audit log')}
        pages={pages}
        keyOf={(row) => row.id}
        empty={
          <EmptyState icon="audit" title={t('No changes')}>
            {t('Nothing matches these filters.')}
          </EmptyState>
        }
        columns={[
          { header: t('When'), render: (row) => <When at={row.created_at} exact /> },
          { header: t('Operator'), render: (row) => <span className="cut">{authorWord(row)}</span> },
          { header: t('Action'), render: (row) => <span className="mono">{row.action}</span> },
          { header: t('Of'), wide: true, render: (row) => <AuditSubject entry={row} names={names} /> },
          { header: t('Change'), wide: true, render: (row) => <span className="long">{auditSummary(row)}</span> },
          {
            header: t('Actions'),
            hideHeader: true,
            align: 'right',
            render: (row) => (
              <Button
                size="compact-sm"
                variant="default"
                onClick={() => setShown(row)}
                aria-label={t('Detail of {action}', { action: row.action })}
              >
                {t('Detail')}
              </Button>
            ),
          },
        ]}
        tools={
          <FilterBar
            views="audit"
            values={filters}
            onChange={(search) => void navigate({ search, replace: true })}
            filters={[
              { kind: 'choice', name: 'resource', label: t('What'), choices: resources },
              { kind: 'exact', name: 'action', label: t('Action'), choices: resources.map(([name]) => `${name}.*`) },
              { kind: 'exact', name: 'operator', label: t('Operator') },
              { kind: 'time', name: 'from', label: t('From') },
              { kind: 'time', name: 'to', label: t('To') },
            ]}
          />
        }
      />
      <Modal opened={shown !== undefined} onClose={() => setShown(undefined)} title={t('Change')} size="lg">
        {shown !== undefined && (
          <Stack>
            <Facts
              facts={[
                [
                  t('Action'),
                  <span key="action" className="mono">
                    {shown.action}
                  </span>,
                ],
                [
                  t('Of'),
                  <Stack key="of" gap={0}>
                    <AuditSubject entry={shown} names={names} />
                    <span className="mono">{shown.resource_id}</span>
                  </Stack>,
                ],
                [t('Operator'), authorWord(shown)],
                [t('When'), <When key="when" at={shown.created_at} exact />],
              ]}
            />
            <CodeBlock text={JSON.stringify(shown.detail, null, 2)} label={t('What changed')} />
          </Stack>
        )}
      </Modal>
    </Page>
  );
}

/** Guesses have no author. */
function authorWord({ operator }: AuditEntry): string {
  return operator === '(not signed in)' ? t('(not signed in)') : operator;
}
