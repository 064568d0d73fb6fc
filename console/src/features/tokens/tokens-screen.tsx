// All access tokens, and the making of one.
import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { tokenCreate, tokenList } from '#contract/tokens.ts';
import { t } from '../../i18n/t.ts';
import { ListTable } from '../../components/data-table.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { FormModal } from '../../components/form-modal.tsx';
import { Icon } from '../../components/icon.tsx';
import { Page } from '../../components/page.tsx';
import { SecretOnce } from '../../components/secret-once.tsx';
import { EmptyState } from '../../components/states.tsx';
import { useAccountNames } from '../../lib/choices.ts';
import { usePages } from '../../lib/lists.ts';
import { searchQuery } from '../../lib/search-subjects.ts';
import { useMayChange } from '../../lib/session.ts';
import { useCreateToken } from './api.ts';
import { tokenBulk } from './token-bulk.ts';
import { tokenColumns } from './token-columns.tsx';
import { newDraft } from './token-draft.ts';
import { TokenForm } from './token-form.tsx';
import { stateLabel } from '../../lib/state-label.ts';

const route = getRouteApi('/tokens');

export function TokensScreen() {
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const mayChange = useMayChange();
  const accounts = useAccountNames();
  const pages = usePages({ path: '/tokens', schema: tokenList, filters });
  const [making, { open, close }] = useDisclosure(false);
  const [secret, setSecret] = useState<string>();
  const create = useCreateToken();
  const client = useQueryClient();
  const { data: some = [] } = useQuery(searchQuery({ q: '', kind: 'account', limit: 2 }));
  const onlyAccount = some.length === 1 ? some[0]?.id : undefined;

  const createButton = (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={open}>
      {t('Create token')}
    </Button>
  );
  return (
    <Page
      title={t('Tokens')}
      description={t(
        'The keys that clients call with. Each belongs to an account and may do only what its scopes allow.',
      )}
      actions={mayChange && createButton}
    >
      <ListTable
        label={t('Tokens')}
        pages={pages}
        keyOf={(row) => row.id}
        columns={tokenColumns(accounts)}
        sorted={{
          by: filters.sort,
          onChange: (sort) => void navigate({ search: { ...filters, sort }, replace: true }),
        }}
        bulk={mayChange ? tokenBulk(client) : undefined}
        empty={
          <EmptyState icon="tokens" title={t('No tokens here')} action={mayChange && createButton}>
            {t('A token lets a client call the models you offer.')}
          </EmptyState>
        }
        tools={
          <FilterBar
            views="tokens"
            values={filters}
            onChange={(search) => void navigate({ search, replace: true })}
            filters={[
              { kind: 'text', name: 'q', label: t('Find'), placeholder: t('Part of a name, or an id') },
              { kind: 'subject', name: 'account_id', label: t('Account'), of: 'account' },
              {
                kind: 'choice',
                name: 'status',
                label: t('Status'),
                choices: [
                  ['enabled', stateLabel('enabled')],
                  ['disabled', stateLabel('disabled')],
                ],
              },
              {
                kind: 'choice',
                name: 'mode',
                label: t('Mode'),
                choices: [
                  ['live', stateLabel('live')],
                  ['test', stateLabel('test')],
                ],
              },
            ]}
          />
        }
      />
      <FormModal opened={making} onClose={close} title={t('Create token')} size="xl">
        <TokenForm
          draft={newDraft(filters.account_id ?? onlyAccount ?? null)}
          schema={tokenCreate}
          submit={t('Create token')}
          cancel={close}
          send={async (body) => {
            const { key } = await create.mutateAsync(body);
            close();
            setSecret(key);
          }}
        />
      </FormModal>
      <SecretOnce title={t('Your new token')} secret={secret} onClose={() => setSecret(undefined)} />
    </Page>
  );
}
