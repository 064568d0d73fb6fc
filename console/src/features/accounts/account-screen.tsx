// One account: money, tokens, the last entries of its ledger.
import { Button, Grid, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { Account } from '#contract/accounts.ts';
import { ledgerList } from '#contract/ledger.ts';
import { StateBadge } from '../../components/badges.tsx';
import { Card } from '../../components/card.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { ListTable } from '../../components/data-table.tsx';
import { Facts } from '../../components/facts.tsx';
import { ledgerColumns } from '../../components/ledger-columns.tsx';
import { Money } from '../../components/money.tsx';
import { PageButton, PageLink } from '../../components/page-link.tsx';
import { Page } from '../../components/page.tsx';
import { EmptyState, Shown } from '../../components/states.tsx';
import { SpentBar } from '../../components/spent-bar.tsx';
import { UsageCard } from '../../components/usage-card.tsx';
import { When } from '../../components/when.tsx';
import { rateWords } from '../../lib/limits.ts';
import { usePages } from '../../lib/lists.ts';
import { useMayChange } from '../../lib/session.ts';
import { tellFailure } from '../../lib/tell-failure.ts';
import { AccountForm } from './account-form.tsx';
import { accountQuery, useSaveAccount } from './api.ts';
import { CreditDialog } from './credit-dialog.tsx';
import { MembersCard } from './members-card.tsx';
import { WebhookCard } from './webhook-card.tsx';

const route = getRouteApi('/accounts/$id');

export function AccountScreen() {
  const { id } = route.useParams();
  return <Shown query={useQuery(accountQuery(id))}>{(account) => <AccountPage account={account} />}</Shown>;
}

function AccountPage({ account }: { account: Account }) {
  const mayChange = useMayChange();
  const { id } = account;
  const entries = usePages({ path: '/ledger', schema: ledgerList, filters: { account_id: id }, pageSize: 10 });
  return (
    <Page
      title={account.name}
      above={<PageLink to="/accounts">Accounts</PageLink>}
      actions={
        <>
          <PageButton to="/tokens" search={{ account_id: id }} variant="default">
            Its tokens
          </PageButton>
          <PageButton to="/requests" search={{ account_id: id }} variant="default">
            Its requests
          </PageButton>
          <PageButton to="/tasks" search={{ account_id: id }} variant="default">
            Its videos
          </PageButton>
          {mayChange && <AccountActions account={account} />}
        </>
      }
    >
      <Grid>
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Card title="Balance">
            <Stack>
              <Text fz={34} fw={650} lh={1.1}>
                <Money amount={account.balance} />
              </Text>
              <Facts
                facts={[
                  ['State', <StateBadge key="state" state={account.status} />],
                  ['Group', account.group],
                  ['Models', account.models === null ? 'Every model' : account.models.join(', ')],
                  [
                    'Budget',
                    account.budget === null ? (
                      'As much as the balance'
                    ) : (
                      <SpentBar
                        key="budget"
                        used={account.budget_used}
                        limit={account.budget}
                        label="Share of the budget spent"
                        since={account.budget_start}
                      />
                    ),
                  ],
                  ['Budget resets', account.budget_period === null ? 'Never' : `Every ${account.budget_period}`],
                  ['Rate', rateWords(account.rate)],
                  ['Made', <When key="made" at={account.created_at} exact />],
                  [
                    'Id',
                    <span key="id" className="mono">
                      {id}
                    </span>,
                  ],
                ]}
              />
            </Stack>
          </Card>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Stack>
            <UsageCard filter={{ account_id: id, mode: 'live' }} by="token" />
            <WebhookCard accountId={id} />
          </Stack>
        </Grid.Col>
      </Grid>
      <MembersCard accountId={id} />
      <ListTable
        label="Ledger of this account"
        pages={entries}
        keyOf={(row) => row.id}
        columns={ledgerColumns(undefined)}
        empty={<EmptyState icon="ledger" title="No money has moved yet" />}
        tools={
          <Group justify="space-between">
            <Text fw={600}>Ledger</Text>
            <PageLink to="/ledger" search={{ account_id: id }}>
              All with filters
            </PageLink>
          </Group>
        }
      />
    </Page>
  );
}

function AccountActions({ account }: { account: Account }) {
  const [editing, { open, close }] = useDisclosure(false);
  const save = useSaveAccount(account);
  return (
    <>
      <Button variant="default" onClick={open}>
        Edit
      </Button>
      {account.status === 'active' ? (
        <ConfirmButton
          label="Disable"
          title="Disable this account"
          question={`Every call with a token of ${account.name} will be refused until it is enabled again.`}
          confirm="Disable"
          button={{ color: 'red', variant: 'light' }}
          act={() => save.mutateAsync({ status: 'disabled' })}
        />
      ) : (
        <Button
          variant="default"
          loading={save.isPending}
          onClick={() => save.mutate({ status: 'active' }, { onError: tellFailure })}
        >
          Enable
        </Button>
      )}
      <CreditDialog accountId={account.id} />
      <Modal opened={editing} onClose={close} title="Edit account" size="lg">
        <AccountForm account={account} cancel={close} onDone={close} />
      </Modal>
    </>
  );
}
