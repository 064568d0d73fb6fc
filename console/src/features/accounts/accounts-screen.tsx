// All accounts and what they have left.
import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type Account, accountList } from '#contract/accounts.ts';
import { t } from '../../i18n/t.ts';
import { StateBadge } from '../../components/badges.tsx';
import { type Column, ListTable } from '../../components/data-table.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { FormModal } from '../../components/form-modal.tsx';
import { Icon } from '../../components/icon.tsx';
import { Money } from '../../components/money.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { Page } from '../../components/page.tsx';
import { EmptyState } from '../../components/states.tsx';
import { When } from '../../components/when.tsx';
import { allGroups } from '../../lib/choices.ts';
import { usePages } from '../../lib/lists.ts';
import { useMayChange } from '../../lib/session.ts';
import { accountBulk } from './account-bulk.ts';
import { AccountForm } from './account-form.tsx';
import { stateLabel } from '../../lib/state-label.ts';

const route = getRouteApi('/accounts');

const columns: Column<Account>[] = [
  {
    header: t('Name'),
    sort: 'name',
    render: (row) => (
      <PageLink to="/accounts/$id" params={{ id: row.id }} className="cut">
        {row.name}
      </PageLink>
    ),
  },
  { header: t('Balance'), sort: 'balance', align: 'right', render: (row) => <Money amount={row.balance} /> },
  { header: t('Group'), wide: true, render: (row) => row.group },
  { header: t('State'), render: (row) => <StateBadge state={row.status} /> },
  {
    header: t('Models'),
    wide: true,
    render: (row) =>
      row.models === null ? (
        <Text size="sm" c="dimmed">
          {t('every //model')}
        </Text>
      ) : (
        row.models.length
      ),
  },
  { header: t('Created'), sort: 'created_at', wide: true, render: (row) => <When at={row.created_at} /> },
];

export function AccountsScreen() {
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const mayChange = useMayChange();
  const pages = usePages({ path: '/accounts', schema: accountList, filters });
  const client = useQueryClient();
  const { data: groups = [] } = useQuery(allGroups);
  const [making, { open, close }] = useDisclosure(false);
  const createButton = (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={open}>
      {t('Create account')}
    </Button>
  );
  return (
    <Page
      title={t('Accounts')}
      description={t('Who pays. The balance is what is free: money held for running requests is already taken off.')}
      actions={mayChange && createButton}
    >
      <ListTable
        label={t('Accounts')}
        pages={pages}
        keyOf={(row) => row.id}
        columns={columns}
        sorted={{
          by: filters.sort,
          onChange: (sort) => void navigate({ search: { ...filters, sort }, replace: true }),
        }}
        bulk={mayChange ? accountBulk(client) : undefined}
        empty={<EmptyState icon="accounts" title={t('No accounts here')} action={mayChange && createButton} />}
        tools={
          <FilterBar
            views="accounts"
            values={filters}
            onChange={(search) => void navigate({ search, replace: true })}
            filters={[
              { kind: 'text', name: 'q', label: t('Find'), placeholder: t('Part of a name, or an id') },
              { kind: 'choice', name: 'group', label: t('Group'), choices: groups.map(({ name }) => [name, name]) },
              {
                kind: 'choice',
                name: 'status',
                label: t('State'),
                choices: [
                  ['active', stateLabel('active')],
                  ['disabled', stateLabel('disabled')],
                ],
              },
            ]}
          />
        }
      />
      <FormModal opened={making} onClose={close} title={t('Create account')} size="lg">
        <AccountForm
          account={undefined}
          cancel={close}
          onDone={({ id }) => {
            close();
            void navigate({ to: '/accounts/$id', params: { id } });
          }}
        />
      </FormModal>
    </Page>
  );
}
