// One account: money, tokens, the last entries of its ledger.
import { Button, Grid, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { Account } from '#contract/accounts.ts';
import { ledgerFoldList } from '#contract/ledger.ts';
import { t } from '../../i18n/t.ts';
import { StateBadge } from '../../components/badges.tsx';
import { Card } from '../../components/card.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { ListTable } from '../../components/data-table.tsx';
import { Facts } from '../../components/facts.tsx';
import { FormModal } from '../../components/form-modal.tsx';
import { foldColumns } from '../../components/ledger-columns.tsx';
import { Money } from '../../components/money.tsx';
import { PageButton, PageLink } from '../../components/page-link.tsx';
import { Page } from '../../components/page.tsx';
import { EmptyState, Shown } from '../../components/states.tsx';
import { SpentBar } from '../../components/spent-bar.tsx';
import { UsageCard } from '../../components/usage-card.tsx';
import { When } from '../../components/when.tsx';
import { rateWords } from '../../lib/limits.ts';
import { usePages } from '../../lib/lists.ts';
import { useCurrency, useMayChange } from '../../lib/session.ts';
import { notifyFailure } from '../../lib/notify-failure.ts';
import { AccountForm } from './account-form.tsx';
import { accountQuery, useSaveAccount } from './api.ts';
import { CreditDialog } from './credit-dialog.tsx';
import { MembersCard } from './members-card.tsx';
import { WebhookCard } from './webhook-card.tsx';
import { everyPeriod } from '../../lib/period-labels.ts';

const route = getRouteApi('/accounts/$id');

export function AccountScreen() {
  const { id } = route.useParams();
  return <Shown query={useQuery(accountQuery(id))}>{(account) => <AccountPage account={account} />}</Shown>;
}

function AccountPage({ account }: { account: Account }) {
  const mayChange = useMayChange();
  const currency = useCurrency();
  const { id } = account;
  const entries = usePages({
    path: '/ledger/folded',
    schema: ledgerFoldList,
    filters: { account_id: id },
    pageSize: 10,
  });
  return (
    <Page
      title={account.name}
      above={<PageLink to="/accounts">{t('Accounts')}</PageLink>}
      actions={
        <>
          <PageButton to="/tokens" search={{ account_id: id }} variant="default">
            {t('View tokens')}
          </PageButton>
          <PageButton to="/requests" search={{ account_id: id }} variant="default">
            {t('View requests')}
          </PageButton>
          <PageButton to="/tasks" search={{ account_id: id }} variant="default">
            {t('View videos')}
          </PageButton>
          {mayChange && <AccountActions account={account} />}
        </>
      }
    >
      <Grid>
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Card title={t('Balance')}>
            <Stack>
              <Text fz={34} fw={650} lh={1.1}>
                <Money amount={account.balance} /> {currency}
              </Text>
              <Facts
                facts={[
                  [t('State'), <StateBadge key="state" state={account.status} />],
                  [t('Group'), account.group],
                  [t('Models'), account.models === null ? t('Every model') : account.models.join(', ')],
                  [
                    t('Budget'),
                    account.budget === null ? (
                      t('As much as the balance')
                    ) : (
                      <SpentBar
                        key="budget"
                        used={account.budget_used}
                        limit={account.budget}
                        label={t('Share of the budget spent')}
                        since={account.budget_start}
                      />
                    ),
                  ],
                  [
                    t('Budget resets'),
                    account.budget_period === null ? t('Never') : everyPeriod(account.budget_period),
                  ],
                  [t('Rate'), rateWords(account.rate)],
                  [t('Created'), <When key="made" at={account.created_at} exact />],
                  [
                    t('Id'),
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
        label={t('Ledger of this account')}
        pages={entries}
        keyOf={(row) => row.id}
        columns={foldColumns(undefined)}
        empty={<EmptyState icon="ledger" title={t('No money has moved yet')} />}
        tools={
          <Group justify="space-between">
            <Text fw={600}>{t('Ledger')}</Text>
            <PageLink to="/ledger" search={{ account_id: id }}>
              {t('All with filters')}
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
        {t('Edit')}
      </Button>
      {account.status === 'active' ? (
        <ConfirmButton
          label={t('Disable')}
          title={t('Disable this account')}
          question={t('Every call with a token of {name} will be refused until it is enabled again.', {
            name: account.name,
          })}
          confirm={t('Disable')}
          button={{ color: 'red', variant: 'light' }}
          act={() => save.mutateAsync({ status: 'disabled' })}
        />
      ) : (
        <Button
          variant="default"
          loading={save.isPending}
          onClick={() => save.mutate({ status: 'active' }, { onError: notifyFailure })}
        >
          {t('Enable')}
        </Button>
      )}
      <CreditDialog accountId={account.id} />
      <FormModal opened={editing} onClose={close} title={t('Edit account')} size="lg">
        <AccountForm account={account} cancel={close} onDone={close} />
      </FormModal>
    </>
  );
}
