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
import { usePages } from '../../lib/lists.ts';

const route = getRouteApi('/audit');
const resources = [
  'account',
  'alert_rule',
  'alert_sink',
  'channel',
  'flag',
  'group',
  'model',
  'operator',
  'price',
  'session',
  'token',
  'webhook',
];

export function AuditScreen() {
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const pages = usePages({ path: '/audit', schema: auditList, filters });
  const [shown, setShown] = useState<AuditEntry>();
  return (
    <Page
      title="Audit log"
      description="Every change by an operator, written together with the change itself. Nothing here is ever altered."
    >
      <ListTable
        label="Audit log"
        pages={pages}
        keyOf={(row) => row.id}
        empty={
          <EmptyState icon="audit" title="No changes">
            Nothing fits these filters.
          </EmptyState>
        }
        columns={[
          { header: 'When', render: (row) => <When at={row.created_at} exact /> },
          { header: 'Operator', render: (row) => <span className="cut">{row.operator}</span> },
          { header: 'Action', render: (row) => <span className="mono">{row.action}</span> },
          { header: 'Of', wide: true, render: (row) => <span className="mono cut">{row.resource_id}</span> },
          { header: 'Change', wide: true, render: (row) => <span className="cut">{summary(row)}</span> },
          {
            header: 'Actions',
            hideHeader: true,
            align: 'right',
            render: (row) => (
              <Button
                size="compact-sm"
                variant="default"
                onClick={() => setShown(row)}
                aria-label={`Detail of ${row.action}`}
              >
                Detail
              </Button>
            ),
          },
        ]}
        tools={
          <FilterBar
            values={filters}
            onChange={(search) => void navigate({ search, replace: true })}
            filters={[
              { kind: 'choice', name: 'resource', label: 'What', choices: resources.map((name) => [name, name]) },
              { kind: 'text', name: 'action', label: 'Action', placeholder: 'token.create' },
              { kind: 'text', name: 'operator', label: 'Operator' },
              { kind: 'time', name: 'from', label: 'From' },
              { kind: 'time', name: 'to', label: 'To' },
            ]}
          />
        }
      />
      <Modal opened={shown !== undefined} onClose={() => setShown(undefined)} title="Change" size="lg">
        {shown !== undefined && (
          <Stack>
            <Facts
              facts={[
                [
                  'Action',
                  <span key="action" className="mono">
                    {shown.action}
                  </span>,
                ],
                [
                  'Of',
                  <span key="of" className="mono">
                    {shown.resource_id}
                  </span>,
                ],
                ['Operator', shown.operator],
                ['When', <When key="when" at={shown.created_at} exact />],
              ]}
            />
            <CodeBlock text={JSON.stringify(shown.detail, null, 2)} label="What changed" />
          </Stack>
        )}
      </Modal>
    </Page>
  );
}

/** Names of the fields that changed. */
function summary({ detail }: AuditEntry): string {
  return Object.keys(detail).join(', ');
}
