// All accounts and what they have left.
import { Button, Modal, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { getRouteApi } from '@tanstack/react-router';
import { type Account, accountList } from '#contract/accounts.ts';
import { StateBadge } from '../../components/badges.tsx';
import { type Column, ListTable } from '../../components/data-table.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { Icon } from '../../components/icon.tsx';
import { Money } from '../../components/money.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { Page } from '../../components/page.tsx';
import { EmptyState } from '../../components/states.tsx';
import { When } from '../../components/when.tsx';
import { usePages } from '../../lib/lists.ts';
import { useMayChange } from '../../lib/session.ts';
import { AccountForm } from './account-form.tsx';

const route = getRouteApi('/accounts');

const columns: Column<Account>[] = [
  {
    header: 'Name',
    render: (row) => (
      <PageLink to="/accounts/$id" params={{ id: row.id }} className="cut">
        {row.name}
      </PageLink>
    ),
  },
  { header: 'Balance', align: 'right', render: (row) => <Money amount={row.balance} /> },
  { header: 'Group', wide: true, render: (row) => row.group },
  { header: 'State', render: (row) => <StateBadge state={row.status} /> },
  {
    header: 'Models',
    wide: true,
    render: (row) =>
      row.models === null ? (
        <Text size="sm" c="dimmed">
          every
        </Text>
      ) : (
        row.models.length
      ),
  },
  { header: 'Made', wide: true, render: (row) => <When at={row.created_at} /> },
];

export function AccountsScreen() {
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const mayChange = useMayChange();
  const pages = usePages({ path: '/accounts', schema: accountList, filters });
  const [making, { open, close }] = useDisclosure(false);
  const createButton = (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={open}>
      Create account
    </Button>
  );
  return (
    <Page
      title="Accounts"
      description="Who pays. The balance is what is free: money held for running requests is already taken off."
      actions={mayChange && createButton}
    >
      <ListTable
        label="Accounts"
        pages={pages}
        keyOf={(row) => row.id}
        columns={columns}
        empty={<EmptyState icon="accounts" title="No accounts here" action={mayChange && createButton} />}
        tools={
          <FilterBar
            values={filters}
            onChange={(search) => void navigate({ search, replace: true })}
            filters={[
              { kind: 'text', name: 'q', label: 'Find', placeholder: 'Part of a name' },
              { kind: 'text', name: 'group', label: 'Group' },
              {
                kind: 'choice',
                name: 'status',
                label: 'State',
                choices: [
                  ['active', 'active'],
                  ['disabled', 'disabled'],
                ],
              },
            ]}
          />
        }
      />
      <Modal opened={making} onClose={close} title="Create account" size="lg">
        <AccountForm
          account={undefined}
          cancel={close}
          onDone={({ id }) => {
            close();
            void navigate({ to: '/accounts/$id', params: { id } });
          }}
        />
      </Modal>
    </Page>
  );
}
