// All access tokens, and the making of one.
import { Button, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { tokenCreate, tokenList } from '#contract/tokens.ts';
import { ListTable } from '../../components/data-table.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { Icon } from '../../components/icon.tsx';
import { Page } from '../../components/page.tsx';
import { SecretOnce } from '../../components/secret-once.tsx';
import { EmptyState } from '../../components/states.tsx';
import { useAccountNames } from '../../lib/choices.ts';
import { usePages } from '../../lib/lists.ts';
import { useMayChange } from '../../lib/session.ts';
import { useCreateToken } from './api.ts';
import { tokenColumns } from './token-columns.tsx';
import { newDraft } from './token-draft.ts';
import { TokenForm } from './token-form.tsx';

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
  const onlyAccount = accounts.size === 1 ? [...accounts.keys()][0] : undefined;

  const createButton = (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={open}>
      Create token
    </Button>
  );
  return (
    <Page
      title="Tokens"
      description="The keys that clients call with. Each belongs to an account and may do only what its scopes allow."
      actions={mayChange && createButton}
    >
      <ListTable
        label="Tokens"
        pages={pages}
        keyOf={(row) => row.id}
        columns={tokenColumns(accounts)}
        empty={
          <EmptyState icon="tokens" title="No tokens here" action={mayChange && createButton}>
            A token lets a client call the models you offer.
          </EmptyState>
        }
        tools={
          <FilterBar
            values={filters}
            onChange={(search) => void navigate({ search, replace: true })}
            filters={[
              { kind: 'text', name: 'q', label: 'Find', placeholder: 'Part of a name' },
              { kind: 'choice', name: 'account_id', label: 'Account', choices: [...accounts] },
              {
                kind: 'choice',
                name: 'status',
                label: 'Status',
                choices: [
                  ['enabled', 'enabled'],
                  ['disabled', 'disabled'],
                ],
              },
              {
                kind: 'choice',
                name: 'mode',
                label: 'Mode',
                choices: [
                  ['live', 'live'],
                  ['test', 'test'],
                ],
              },
            ]}
          />
        }
      />
      <Modal opened={making} onClose={close} title="Create token" size="xl">
        <TokenForm
          draft={newDraft(filters.account_id ?? onlyAccount ?? null)}
          schema={tokenCreate}
          submit="Create token"
          cancel={close}
          send={async (body) => {
            const { key } = await create.mutateAsync(body);
            close();
            setSecret(key);
          }}
        />
      </Modal>
      <SecretOnce title="Your new token" secret={secret} onClose={() => setSecret(undefined)} />
    </Page>
  );
}
