// The tokens of the account: an owner manages all, a member their own, a viewer looks.
import { Button, Modal, Text } from '@mantine/core';
import { useState } from 'react';
import { type PortalToken, portalTokenList } from '#contract/portal.ts';
import { t } from '../../i18n/t.ts';
import { StateBadge } from '../../components/badges.tsx';
import { type Column, ListTable } from '../../components/data-table.tsx';
import { Icon } from '../../components/icon.tsx';
import { Money } from '../../components/money.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { Page } from '../../components/page.tsx';
import { SecretOnce } from '../../components/secret-once.tsx';
import { SpentBar } from '../../components/spent-bar.tsx';
import { EmptyState } from '../../components/states.tsx';
import { When } from '../../components/when.tsx';
import { usePages } from '../../lib/lists.ts';
import { useMinute } from '../../lib/use-minute.ts';
import { useCurrency } from '../account.ts';
import { useMayChange, useSession } from '../session.ts';
import { useChangeToken, useCreateToken } from './api.ts';
import { TokenActions } from './token-actions.tsx';
import { TokenForm } from './token-form.tsx';

export function TokensScreen() {
  const mayChange = useMayChange();
  const role = useSession()?.role;
  const currency = useCurrency();
  const now = useMinute();
  const pages = usePages({ path: '/tokens', schema: portalTokenList });
  const [making, setMaking] = useState(false);
  const [editing, setEditing] = useState<PortalToken>();
  const [secret, setSecret] = useState<string>();
  const createButton = mayChange && (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setMaking(true)}>
      {t('Create token')}
    </Button>
  );
  const actions: Column<PortalToken> = {
    header: t('Actions'),
    hideHeader: true,
    align: 'right',
    render: (row) => <TokenActions token={row} onEdit={() => setEditing(row)} onKey={setSecret} />,
  };
  return (
    <Page
      title={t('Tokens')}
      description={
        role === 'member'
          ? t('The keys that you made for clients.')
          : t('The keys that clients of this account call with.')
      }
      actions={createButton}
    >
      <ListTable
        label={t('Tokens')}
        pages={pages}
        keyOf={(row) => row.id}
        columns={[...columnsWith(currency, now), ...(mayChange ? [actions] : [])]}
        empty={
          <EmptyState icon="tokens" title={t('No tokens yet')} action={createButton}>
            {t('A token lets a client call the models of this account.')}
          </EmptyState>
        }
      />
      <Modal opened={making} onClose={() => setMaking(false)} title={t('Create token')} size="lg">
        <Create close={() => setMaking(false)} onKey={setSecret} />
      </Modal>
      <Modal opened={editing !== undefined} onClose={() => setEditing(undefined)} title={t('Edit token')} size="lg">
        {editing !== undefined && <Edit token={editing} close={() => setEditing(undefined)} />}
      </Modal>
      <SecretOnce title={t('The key of your token')} secret={secret} onClose={() => setSecret(undefined)} />
    </Page>
  );
}

function Create({ close, onKey }: { close(): void; onKey(key: string): void }) {
  const create = useCreateToken();
  return (
    <TokenForm
      token={undefined}
      cancel={close}
      send={async (body) => {
        const { key } = await create.mutateAsync(body);
        close();
        onKey(key);
      }}
    />
  );
}

function Edit({ token, close }: { token: PortalToken; close(): void }) {
  const save = useChangeToken(token.id);
  return (
    <TokenForm
      token={token}
      cancel={close}
      send={async (body) => {
        await save.mutateAsync(body);
        close();
      }}
    />
  );
}

function columnsWith(currency: string, now: number): Column<PortalToken>[] {
  const stateOf = ({ status, expires_at }: PortalToken) =>
    status === 'enabled' && expires_at !== null && expires_at <= now ? 'expired' : status;
  return [
    {
      header: t('Name'),
      render: (row) => (
        <>
          <PageLink to="/requests" search={{ token_id: row.id }} className="cut">
            {row.name}
          </PageLink>
          <Text size="xs" c="dimmed" className="mono">
            {row.key_hint}
          </Text>
        </>
      ),
    },
    {
      header: t('State'),
      render: (row) => (
        <>
          <StateBadge state={stateOf(row)} /> {row.mode === 'test' && <StateBadge state="test" />}
        </>
      ),
    },
    {
      header: t('Spent, {currency}', { currency }),
      wide: true,
      render: (row) =>
        row.quota === null ? (
          <Money amount={row.used} />
        ) : (
          <SpentBar
            used={row.quota_period === null ? row.used : row.period_used}
            limit={row.quota}
            label={t('Share of the quota of {name} spent', { name: row.name })}
          />
        ),
    },
    {
      header: t('Models'),
      wide: true,
      render: (row) => <span className="cut">{row.models === null ? t('Every model') : row.models.join(', ')}</span>,
    },
    {
      header: t('Expires'),
      wide: true,
      render: (row) => (row.expires_at === null ? t('never') : <When at={row.expires_at} />),
    },
  ];
}
