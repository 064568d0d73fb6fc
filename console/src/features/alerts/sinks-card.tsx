// Who is notified of alerts: add, change, test, remove, and the log of what was sent.
import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { type AlertSink, alertSinkList } from '#contract/alerts.ts';
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
import { sentenceOf } from '../../lib/api-error.ts';
import { usePages } from '../../lib/lists.ts';
import { useMayChange } from '../../lib/session.ts';
import { useRemoveSink, useTestSink } from './api.ts';
import { SinkDeliveries } from './sink-deliveries.tsx';
import { SinkForm } from './sink-form.tsx';
import { kindNames } from './sink-kinds.ts';

export function SinksCard() {
  const mayChange = useMayChange();
  const pages = usePages({ path: '/alerts/sinks', schema: alertSinkList });
  /** null = a new one. */
  const [edited, setEdited] = useState<AlertSink | null>();
  const [log, setLog] = useState<AlertSink>();
  const [secret, setSecret] = useState<string>();
  const close = () => setEdited(undefined);
  return (
    <Card
      title={t('Sinks')}
      description={t('Where alerts are sent: a webhook, mail or a chat.')}
      flush
      actions={
        mayChange && (
          <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setEdited(null)}>
            {t('Add sink')}
          </Button>
        )
      }
    >
      <ListTable
        label={t('Sinks')}
        pages={pages}
        keyOf={(row) => row.id}
        empty={
          <EmptyState icon="send" title={t('No sinks')}>
            {t('Alerts are shown here and under “Needs attention” only.')}
          </EmptyState>
        }
        columns={[
          { header: t('Name'), render: (row) => <span className="cut">{row.name}</span> },
          { header: t('Kind'), render: (row) => kindNames[row.kind] },
          {
            header: t('To //recipient'),
            wide: true,
            render: (row) => (
              <Text size="sm" className="cut" maw={280}>
                {row.url ?? row.to.join(', ')}
              </Text>
            ),
          },
          {
            header: t('Rules'),
            wide: true,
            render: (row) => (row.rules === null ? t('every //rule') : row.rules.join(', ')),
          },
          { header: t('State'), render: (row) => <StateBadge state={row.status} /> },
          {
            header: t('Actions'),
            hideHeader: true,
            align: 'right',
            render: (row) => (
              <Group gap="xs" justify="flex-end" wrap="nowrap">
                <Button
                  size="compact-sm"
                  variant="subtle"
                  onClick={() => setLog(row)}
                  aria-label={t('Log of {name}', { name: row.name })}
                >
                  {t('Log')}
                </Button>
                {mayChange && <SinkActions sink={row} edit={() => setEdited(row)} />}
              </Group>
            ),
          },
        ]}
      />
      <FormModal
        opened={edited !== undefined}
        onClose={close}
        title={edited === null ? t('Add sink') : t('Edit sink')}
        size="lg"
      >
        {edited !== undefined && <SinkForm sink={edited ?? undefined} close={close} onSecret={setSecret} />}
      </FormModal>
      <FormModal
        opened={log !== undefined}
        onClose={() => setLog(undefined)}
        title={log === undefined ? '' : t('Deliveries of {name}', { name: log.name })}
        size="xl"
      >
        {log !== undefined && <SinkDeliveries sink={log} />}
      </FormModal>
      <SecretOnce
        title={t('The secret of this webhook')}
        secret={secret}
        onClose={() => setSecret(undefined)}
        hint={
          <>
            {rich('Alerts are signed with it as Standard Webhooks has it, in the header {name}.', {
              name: <span className="mono">webhook-signature</span>,
            })}
          </>
        }
      />
    </Card>
  );
}

function SinkActions({ sink, edit }: { sink: AlertSink; edit(): void }) {
  const test = useTestSink(sink);
  const remove = useRemoveSink(sink);
  const run = async () => {
    try {
      const { status, last_error } = await test.mutateAsync();
      const isTaken = status === 'delivered';
      const message = isTaken
        ? t('{name} took the test', { name: sink.name })
        : t('{name} did not take it: {reason}', { name: sink.name, reason: last_error ?? '' });
      notifications.show({ message, color: isTaken ? 'green' : 'red' });
    } catch (error) {
      notifications.show({ message: sentenceOf(error), color: 'red' });
    }
  };
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        loading={test.isPending}
        onClick={() => void run()}
        aria-label={t('Test {name}', { name: sink.name })}
      >
        {t('Test')}
      </Button>
      <Button size="compact-sm" variant="default" onClick={edit} aria-label={t('Edit {name}', { name: sink.name })}>
        {t('Edit')}
      </Button>
      <ConfirmButton
        label={t('Remove')}
        title={t('Remove the sink {name}', { name: sink.name })}
        question={t('It is notified no more, and its log is removed.')}
        confirm={t('Remove')}
        button={{ size: 'compact-sm' }}
        act={() => remove.mutateAsync()}
      />
    </>
  );
}
