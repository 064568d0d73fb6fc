// The people who run the gateway, and what each may do.
import { Button, Group, PasswordInput, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { operator as operatorSchema, operatorCreate, operatorList } from '#contract/operators.ts';
import { t } from '../../i18n/t.ts';
import { StateBadge } from '../../components/badges.tsx';
import { ListTable } from '../../components/data-table.tsx';
import { FormFooter } from '../../components/form-footer.tsx';
import { FormModal } from '../../components/form-modal.tsx';
import { Icon } from '../../components/icon.tsx';
import { Page } from '../../components/page.tsx';
import { EmptyState } from '../../components/states.tsx';
import { When } from '../../components/when.tsx';
import { callApi } from '../../lib/api-client.ts';
import { errorAt } from '../../lib/check-form.ts';
import { forget, usePages } from '../../lib/lists.ts';
import { useMayChange } from '../../lib/session.ts';
import { useFormSend } from '../../lib/use-form-send.ts';
import { OperatorActions } from './operator-actions.tsx';
import { OperatorKeysCard } from './operator-keys-card.tsx';
import { stateLabel } from '../../lib/state-label.ts';

export function OperatorsScreen() {
  const mayChange = useMayChange();
  const pages = usePages({ path: '/operators', schema: operatorList });
  const [making, setMaking] = useState(false);
  return (
    <Page
      title={t('Operators')}
      description={t(
        "An admin changes things, a viewer only reads. Every change is in the audit log under its author's name.",
      )}
      actions={
        mayChange && (
          <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setMaking(true)}>
            {t('Add operator')}
          </Button>
        )
      }
    >
      <ListTable
        label={t('Operators')}
        pages={pages}
        keyOf={(row) => row.id}
        empty={<EmptyState icon="operators" title={t('No operators')} />}
        columns={[
          { header: t('Name'), render: (row) => <span className="cut">{row.name}</span> },
          { header: t('Role'), render: (row) => <StateBadge state={row.role} /> },
          {
            header: t('State'),
            render: (row) => (
              <Group gap={6}>
                <StateBadge state={row.status} />
                {row.second_factor && <StateBadge state={t('second factor')} />}
                {row.must_change_password && (
                  <Text size="xs" c="dimmed">
                    {t('has yet to choose a password')}
                  </Text>
                )}
              </Group>
            ),
          },
          { header: t('Created'), wide: true, render: (row) => <When at={row.created_at} /> },
          {
            header: t('Actions'),
            hideHeader: true,
            align: 'right',
            render: (row) => mayChange && <OperatorActions operator={row} />,
          },
        ]}
      />
      <OperatorKeysCard />
      <FormModal opened={making} onClose={() => setMaking(false)} title={t('Add operator')}>
        <OperatorForm close={() => setMaking(false)} />
      </FormModal>
    </Page>
  );
}

function OperatorForm({ close }: { close(): void }) {
  const client = useQueryClient();
  const [draft, setDraft] = useState({ name: '', password: '', role: 'viewer' });
  const { errors, busy, submit } = useFormSend(
    operatorCreate,
    () => ({ ...draft, name: draft.name.trim() }),
    async (body) => {
      await callApi('POST', '/operators', { schema: operatorSchema, body });
      await forget(client, '/operators');
      close();
    },
  );
  return (
    <form noValidate onSubmit={submit}>
      <Stack>
        <TextInput
          label={t('Name')}
          description={t('As typed at sign-in')}
          data-autofocus
          autoComplete="off"
          value={draft.name}
          onChange={(event) => setDraft({ ...draft, name: event.currentTarget.value })}
          error={errorAt(errors, 'name')}
        />
        <PasswordInput
          label={t('First password')}
          description={t('They must choose their own when they first sign in')}
          autoComplete="new-password"
          value={draft.password}
          onChange={(event) => setDraft({ ...draft, password: event.currentTarget.value })}
          error={errorAt(errors, 'password')}
          visibilityToggleButtonProps={{ 'aria-label': t('Show or hide the password') }}
        />
        <div>
          <Text size="sm" fw={500} mb={4} id="operator-role">
            {t('Role')}
          </Text>
          <SegmentedControl
            aria-labelledby="operator-role"
            value={draft.role}
            onChange={(role) => setDraft({ ...draft, role })}
            data={['viewer', 'admin'].map((value) => ({ value, label: stateLabel(value) }))}
          />
        </div>
        <FormFooter
          errors={errors}
          fields={['name', 'password', 'role']}
          busy={busy}
          submit={t('Add operator')}
          cancel={close}
        />
      </Stack>
    </form>
  );
}
