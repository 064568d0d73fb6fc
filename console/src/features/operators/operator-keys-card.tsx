// The keys of programs that use the operator API or read the metrics.
import { Button, Group, Modal } from '@mantine/core';
import { useState } from 'react';
import { type OperatorKey, operatorKeyList } from '#contract/operator-keys.ts';
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
      title="Operator keys"
      description="For programs: scripts, deployments, Prometheus. Each has a role and can be revoked alone."
      flush
      actions={
        mayChange && (
          <Button variant="default" leftSection={<Icon name="plus" size={16} />} onClick={() => setMaking(true)}>
            Create key
          </Button>
        )
      }
    >
      <ListTable
        label="Operator keys"
        pages={pages}
        keyOf={(row) => row.id}
        empty={<EmptyState icon="tokens" title="No operator keys" />}
        columns={[
          { header: 'Name', render: (row) => <span className="cut">{row.name}</span> },
          { header: 'Role', render: (row) => <StateBadge state={row.role} /> },
          { header: 'State', render: (row) => <StateBadge state={stateOf(row)} /> },
          { header: 'Key', wide: true, render: (row) => <span className="mono">{row.key_hint}</span> },
          { header: 'Expires', render: (row) => (row.expires_at === null ? 'never' : <When at={row.expires_at} />) },
          { header: 'Made by', wide: true, render: (row) => <span className="cut">{row.created_by}</span> },
          {
            header: 'Actions',
            hideHeader: true,
            align: 'right',
            render: (row) => mayChange && <KeyActions operatorKey={row} />,
          },
        ]}
      />
      <Modal opened={making} onClose={() => setMaking(false)} title="Create operator key">
        <OperatorKeyForm close={() => setMaking(false)} onMade={setSecret} />
      </Modal>
      <SecretOnce
        title="Your new operator key"
        secret={secret}
        onClose={() => setSecret(undefined)}
        hint={
          <>
            The program sends it as <span className="mono">Authorization: Bearer …</span> to /operator/v1 or /metrics
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
        label={isEnabled ? 'Disable' : 'Enable'}
        title={`${isEnabled ? 'Disable' : 'Enable'} the key ${name}`}
        question={isEnabled ? 'It is refused until it is enabled again.' : 'It is accepted again.'}
        confirm={isEnabled ? 'Disable' : 'Enable'}
        button={button}
        act={() => change.mutateAsync({ status: isEnabled ? 'disabled' : 'enabled' })}
      />
      <ConfirmButton
        label="Remove"
        title={`Remove the key ${name}`}
        question="It is refused from now on, on every node. This cannot be undone."
        confirm="Remove"
        button={button}
        act={() => revoke.mutateAsync()}
      />
    </Group>
  );
}
