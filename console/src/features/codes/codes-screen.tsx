// Codes: each adds its amount to the balance of the account whose member redeems it, once.
import { Button, Group, Modal, Stack } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { type Code, codeList } from '#contract/codes.ts';
import { StateBadge } from '../../components/badges.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { type Column, ListTable } from '../../components/data-table.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { Icon } from '../../components/icon.tsx';
import { Money } from '../../components/money.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { Page } from '../../components/page.tsx';
import { EmptyState, Notice } from '../../components/states.tsx';
import { When } from '../../components/when.tsx';
import { usePages } from '../../lib/lists.ts';
import { useMayChange } from '../../lib/session.ts';
import { useMinute } from '../../lib/use-minute.ts';
import { useRemoveCode } from './api.ts';
import { CodesForm } from './codes-form.tsx';

const route = getRouteApi('/codes');

export function CodesScreen() {
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const mayChange = useMayChange();
  const now = useMinute();
  const pages = usePages({ path: '/codes', schema: codeList, filters });
  const [making, setMaking] = useState(false);
  const [made, setMade] = useState<string[]>();
  const createButton = mayChange && (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setMaking(true)}>
      Create codes
    </Button>
  );
  return (
    <Page
      title="Codes"
      description="Members redeem them in the portal: the amount is added to the balance of their account, once."
      actions={createButton}
    >
      <ListTable
        label="Codes"
        pages={pages}
        keyOf={(row) => row.id}
        columns={columnsWith(now, mayChange)}
        empty={<EmptyState icon="coin" title="No codes here" action={createButton} />}
        tools={
          <FilterBar
            values={filters}
            onChange={(search) => void navigate({ search, replace: true })}
            filters={[
              {
                kind: 'choice',
                name: 'redeemed',
                label: 'State',
                choices: [
                  ['true', 'Redeemed'],
                  ['false', 'Not redeemed'],
                ],
              },
            ]}
          />
        }
      />
      <Modal opened={making} onClose={() => setMaking(false)} title="Create codes">
        <CodesForm close={() => setMaking(false)} onMade={setMade} />
      </Modal>
      <Modal
        opened={made !== undefined}
        onClose={() => setMade(undefined)}
        title="Your new codes"
        closeOnClickOutside={false}
        closeOnEscape={false}
      >
        <Stack>
          <Notice color="yellow">These codes are shown only now. The gateway keeps digests of them alone.</Notice>
          <CodeBlock text={(made ?? []).join('\n')} label="Codes" />
          <Group justify="flex-end">
            <Button variant="default" onClick={() => setMade(undefined)}>
              I have kept them
            </Button>
          </Group>
        </Stack>
      </Modal>
    </Page>
  );
}

function columnsWith(now: number, mayChange: boolean): Column<Code>[] {
  const stateOf = ({ redeemed_at, expires_at }: Code) => {
    if (redeemed_at !== null) return 'redeemed';
    return expires_at !== null && expires_at <= now ? 'expired' : 'active';
  };
  return [
    { header: 'Code', render: (row) => <span className="mono">{row.hint}</span> },
    { header: 'Amount', align: 'right', render: (row) => <Money amount={row.amount} /> },
    { header: 'State', render: (row) => <StateBadge state={stateOf(row)} /> },
    {
      header: 'Redeemed by',
      wide: true,
      render: (row) =>
        row.account_id === null ? (
          '—'
        ) : (
          <PageLink to="/accounts/$id" params={{ id: row.account_id }} className="cut">
            {row.account_id}
          </PageLink>
        ),
    },
    {
      header: 'Expires',
      wide: true,
      render: (row) => (row.expires_at === null ? 'never' : <When at={row.expires_at} />),
    },
    { header: 'Note', wide: true, render: (row) => <span className="cut">{row.note ?? '—'}</span> },
    {
      header: 'Actions',
      hideHeader: true,
      align: 'right',
      render: (row) => mayChange && row.redeemed_at === null && <RemoveCode code={row} />,
    },
  ];
}

function RemoveCode({ code: { id, hint } }: { code: Code }) {
  const remove = useRemoveCode(id);
  return (
    <ConfirmButton
      label="Remove"
      title={`Remove the code ${hint}`}
      question="Nobody can redeem it any more."
      confirm="Remove"
      button={{ size: 'compact-sm' }}
      act={() => remove.mutateAsync()}
    />
  );
}
