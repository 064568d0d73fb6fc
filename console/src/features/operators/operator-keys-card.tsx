// The keys of programs that use the operator API or read the metrics.
import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { type OperatorKey, operatorKeyList } from '#contract/operator-keys.ts';
import { rich } from '../../i18n/rich.ts';
import { t } from '../../i18n/t.ts';
import { FormModal } from '../../components/form-modal.tsx';
import { StateBadge } from '../../components/badges.tsx';
import { Card } from '../../components/card.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { ListTable } from '../../components/data-table.tsx';
import { Icon } from '../../components/icon.tsx';
import { SecretOnce } from '../../components/secret-once.tsx';
import { EmptyState } from '../../components/states.tsx';
import { When } from '../../components/when.tsx';
import { usePages } from '../../lib/lists.ts';
import { useMayChange } from '../../lib/session.ts';
import { useMinute } from '../../lib/use-minute.ts';
import { OperatorKeyForm } from './operator-key-form.tsx';
import { useChangeOperatorKey, useRevokeOperatorKey } from './operator-keys-api.ts';

const button = { size: 'compact-sm' } as const;

export function OperatorKeysCard() {
  const mayChange = useMayChange();
  const pages = usePages({ path: '/operator-keys', schema: operatorKeyList });
  const [making, setMaking] = useState(false);
  const [secret, setSecret] = useState<string>();
  const now = useMinute();
  const stateOf = ({ status, expires_at }: OperatorKey) =>
    status === 'enabled' && expires_at !== null && expires_at <= now ? 'expired' : status;
  return (
    <Card
      title={t('Operator keys')}
      description={t('For programs: scripts, deployments, Prometheus. Each has a role and can be revoked alone.')}
      flush
      actions={
        mayChange && (
          <Button variant="default" leftSection={<Icon name="plus" size={16} />} onClick={() => setMaking(true)}>
            {t('Create key')}
          </Button>
        )
      }
    >
      <ListTable
        label={t('Operator keys')}
        pages={pages}
        keyOf={(row) => row.id}
        empty={<EmptyState icon="tokens" title={t('No operator keys')} />}
        columns={[
          { header: t('Name'), render: (row) => <span className="cut">{row.name}</span> },
          { header: t('Role'), render: (row) => <StateBadge state={row.role} /> },
          { header: t('State'), render: (row) => <StateBadge state={stateOf(row)} /> },
          { header: t('Key'), wide: true, render: (row) => <span className="mono">{row.key_hint}</span> },
          {
            header: t('Expires'),
            render: (row) => (row.expires_at === null ? t('never') : <When at={row.expires_at} />),
          },
          { header: t('Made by'), wide: true, render: (row) => <span className="cut">{row.created_by}</span> },
          {
            header: t('Actions'),
            hideHeader: true,
            align: 'right',
            render: (row) => mayChange && <KeyActions operatorKey={row} />,
          },
        ]}
      />
      <FormModal opened={making} onClose={() => setMaking(false)} title={t('Create operator key')}>
        <OperatorKeyForm close={() => setMaking(false)} onMade={setSecret} />
      </FormModal>
      <SecretOnce
        title={t('Your new operator key')}
        secret={secret}
        onClose={() => setSecret(undefined)}
        hint={
          <>
            {rich('The program sends it as {header} to /operator/v1 or /metrics', {
              header: <span className="mono">Authorization: Bearer …</span>,
            })}
          </>
        }
      />
    </Card>
  );
}

function KeyActions({ operatorKey }: { operatorKey: OperatorKey }) {
  const { name, status } = operatorKey;
  const change = useChangeOperatorKey(operatorKey);
  const revoke = useRevokeOperatorKey(operatorKey);
  const isEnabled = status === 'enabled';
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      <ConfirmButton
        label={isEnabled ? t('Disable') : t('Enable')}
        title={isEnabled ? t('Disable the key {name}', { name }) : t('Enable the key {name}', { name })}
        question={isEnabled ? t('It is refused until it is enabled again.') : t('It is accepted again.')}
        confirm={isEnabled ? t('Disable') : t('Enable')}
        button={button}
        act={() => change.mutateAsync({ status: isEnabled ? 'disabled' : 'enabled' })}
      />
      <ConfirmButton
        label={t('Remove')}
        title={t('Remove the key {name}', { name })}
        question={t('It is refused from now on, on every node. This cannot be undone.')}
        confirm={t('Remove')}
        button={button}
        act={() => revoke.mutateAsync()}
      />
    </Group>
  );
}
