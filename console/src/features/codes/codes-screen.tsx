// Codes: each adds its amount to the balance of the account whose member redeems it, once.
import { Button, Group, Modal, Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { type Code, codeList } from '#contract/codes.ts';
import { t } from '../../i18n/t.ts';
import { StateBadge } from '../../components/badges.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { type Column, ListTable } from '../../components/data-table.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { FormModal } from '../../components/form-modal.tsx';
import { Icon } from '../../components/icon.tsx';
import { Money } from '../../components/money.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { Page } from '../../components/page.tsx';
import { EmptyState, Notice } from '../../components/states.tsx';
import { When } from '../../components/when.tsx';
import { usePages } from '../../lib/lists.ts';
import { type Names, useNames } from '../../lib/names.ts';
import { useMayChange } from '../../lib/session.ts';
import { useMinute } from '../../lib/use-minute.ts';
import { useRemoveCode } from './api.ts';
import { codeBulk } from './code-bulk.ts';
import { CodesForm } from './codes-form.tsx';

const route = getRouteApi('/codes');

export function CodesScreen() {
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const mayChange = useMayChange();
  const now = useMinute();
  const names = useNames();
  const client = useQueryClient();
  const pages = usePages({ path: '/codes', schema: codeList, filters });
  const [making, setMaking] = useState(false);
  const [made, setMade] = useState<string[]>();
  const createButton = mayChange && (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setMaking(true)}>
      {t('Create codes')}
    </Button>
  );
  return (
    <Page
      title={t('Codes')}
      description={t('Members redeem them in the portal: the amount is added to the balance of their account, once.')}
      actions={createButton}
    >
      <ListTable
        label={t('Codes')}
        pages={pages}
        keyOf={(row) => row.id}
        columns={columnsWith(now, mayChange, names)}
        bulk={mayChange ? codeBulk(client) : undefined}
        empty={<EmptyState icon="coin" title={t('No codes here')} action={createButton} />}
        tools={
          <FilterBar
            values={filters}
            onChange={(search) => void navigate({ search, replace: true })}
            filters={[
              {
                kind: 'choice',
                name: 'redeemed',
                label: t('State'),
                choices: [
                  ['true', t('Redeemed')],
                  ['false', t('Not redeemed')],
                ],
              },
            ]}
          />
        }
      />
      <FormModal opened={making} onClose={() => setMaking(false)} title={t('Create codes')}>
        <CodesForm close={() => setMaking(false)} onMade={setMade} />
      </FormModal>
      <Modal
        opened={made !== undefined}
        onClose={() => setMade(undefined)}
        title={t('Your new codes')}
        closeOnClickOutside={false}
        closeOnEscape={false}
      >
        <Stack>
          <Notice color="yellow">
            {t('These codes are shown only now. The gateway keeps digests of them alone.')}
          </Notice>
          <CodeBlock text={(made ?? []).join('\n')} label={t('Codes')} />
          <Group justify="flex-end">
            <Button variant="default" onClick={() => setMade(undefined)}>
              {t('I have saved them')}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </Page>
  );
}

function columnsWith(now: number, mayChange: boolean, names: Names): Column<Code>[] {
  const stateOf = ({ redeemed_at, expires_at }: Code) => {
    if (redeemed_at !== null) return 'redeemed';
    return expires_at !== null && expires_at <= now ? 'expired' : 'active';
  };
  return [
    { header: t('Code //redeem'), render: (row) => <span className="mono">{row.hint}</span> },
    { header: t('Amount'), align: 'right', render: (row) => <Money amount={row.amount} /> },
    { header: t('State'), render: (row) => <StateBadge state={stateOf(row)} /> },
    {
      header: t('Redeemed by'),
      wide: true,
      render: (row) =>
        row.account_id === null ? (
          '—'
        ) : (
          <PageLink to="/accounts/$id" params={{ id: row.account_id }} className="cut">
            {names.get(row.account_id) ?? row.account_id}
          </PageLink>
        ),
    },
    {
      header: t('Expires'),
      wide: true,
      render: (row) => (row.expires_at === null ? t('never') : <When at={row.expires_at} />),
    },
    { header: t('Note'), wide: true, render: (row) => <span className="cut">{row.note ?? '—'}</span> },
    {
      header: t('Actions'),
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
      label={t('Remove')}
      title={t('Remove the code {hint}', { hint })}
      question={t('Nobody can redeem it any more.')}
      confirm={t('Remove')}
      button={{ size: 'compact-sm' }}
      act={() => remove.mutateAsync()}
    />
  );
}
