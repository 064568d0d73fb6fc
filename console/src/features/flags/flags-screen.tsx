// Flags: a model that names one exists only where the flag is on.
import { Button, Group, MultiSelect, Stack, Switch, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { z } from 'zod';
import { type Flag, flag as flagSchema, flagList, flagPut } from '#contract/flags.ts';
import { line } from '#contract/values/text.ts';
import { t } from '../../i18n/t.ts';
import { StateBadge } from '../../components/badges.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { ListTable } from '../../components/data-table.tsx';
import { FormFooter } from '../../components/form-footer.tsx';
import { FormModal } from '../../components/form-modal.tsx';
import { Icon } from '../../components/icon.tsx';
import { Page } from '../../components/page.tsx';
import { EmptyState } from '../../components/states.tsx';
import { SubjectsSelect } from '../../components/subject-select.tsx';
import { callApi } from '../../lib/api-client.ts';
import { allGroups, useAccountNames } from '../../lib/choices.ts';
import { errorAt } from '../../lib/check-form.ts';
import { forget, usePages } from '../../lib/lists.ts';
import type { Names } from '../../lib/names.ts';
import { useMayChange } from '../../lib/session.ts';
import { useFormSend } from '../../lib/use-form-send.ts';

const formSchema = z.object({ ...flagPut.shape, name: line(100) });

export function FlagsScreen() {
  const client = useQueryClient();
  const mayChange = useMayChange();
  const accounts = useAccountNames();
  const pages = usePages({ path: '/flags', schema: flagList });
  const [edited, setEdited] = useState<Flag | null>();
  const remove = useMutation({
    mutationFn: ({ name, etag }: Flag) =>
      callApi('DELETE', `/flags/${encodeURIComponent(name)}`, { schema: z.undefined(), etag }),
    onSuccess: () => forget(client, '/flags'),
  });
  return (
    <Page
      title={t('Flags')}
      description={t(
        'A model that names a flag is offered only where that flag is on: for some accounts, some groups, or everybody.',
      )}
      actions={
        mayChange && (
          <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setEdited(null)}>
            {t('Create flag')}
          </Button>
        )
      }
    >
      <ListTable
        label={t('Flags')}
        pages={pages}
        keyOf={(row) => row.name}
        empty={
          <EmptyState icon="flags" title={t('No flags')}>
            {t('Use one to show a new model to a few customers first.')}
          </EmptyState>
        }
        columns={[
          { header: t('Name'), render: (row) => <span className="cut">{row.name}</span> },
          { header: t('State'), render: (row) => <StateBadge state={row.enabled ? 'enabled' : 'disabled'} /> },
          { header: t('Offered to'), render: (row) => audience(row, accounts) },
          {
            header: t('Actions'),
            hideHeader: true,
            align: 'right',
            render: (row) =>
              mayChange && (
                <Group gap="xs" justify="flex-end" wrap="nowrap">
                  <Button size="compact-sm" variant="default" onClick={() => setEdited(row)}>
                    {t('Edit')}
                  </Button>
                  <ConfirmButton
                    label={t('Remove')}
                    title={t('Remove this flag')}
                    question={t('Models that name {name} will exist nowhere.', { name: row.name })}
                    confirm={t('Remove')}
                    button={{ size: 'compact-sm' }}
                    act={() => remove.mutateAsync(row)}
                  />
                </Group>
              ),
          },
        ]}
      />
      <FormModal
        opened={edited !== undefined}
        onClose={() => setEdited(undefined)}
        title={edited === null ? t('Create flag') : t('Edit flag')}
      >
        {edited !== undefined && <FlagForm flag={edited} close={() => setEdited(undefined)} />}
      </FormModal>
    </Page>
  );
}

function audience(flag: Flag, accounts: Names): string {
  const names = [
    ...flag.accounts.map((id) => accounts.get(id) ?? id),
    ...flag.groups.map((name) => t('group {name}', { name })),
  ];
  return names.length === 0 ? t('everybody') : names.join(', ');
}

function FlagForm({ flag, close }: { flag: Flag | null; close(): void }) {
  const client = useQueryClient();
  const [draft, setDraft] = useState<Omit<Flag, 'etag'>>(flag ?? { name: '', enabled: true, accounts: [], groups: [] });
  const [etag] = useState(flag?.etag);
  const { data: groups = [] } = useQuery(allGroups);
  const { errors, busy, submit } = useFormSend(
    formSchema,
    () => ({ ...draft, name: draft.name.trim() }),
    async ({ name, ...body }) => {
      await callApi('PUT', `/flags/${encodeURIComponent(name)}`, { schema: flagSchema, body, etag });
      await forget(client, '/flags');
      close();
    },
  );
  return (
    <form noValidate onSubmit={submit}>
      <Stack>
        <TextInput
          label={t('Name')}
          data-autofocus
          disabled={flag !== null}
          value={draft.name}
          onChange={(event) => setDraft({ ...draft, name: event.currentTarget.value })}
          error={errorAt(errors, 'name')}
        />
        <Switch
          label={t('On')}
          checked={draft.enabled}
          onChange={(event) => setDraft({ ...draft, enabled: event.currentTarget.checked })}
        />
        <SubjectsSelect
          kind="account"
          label={t('Only for these accounts')}
          value={draft.accounts}
          onChange={(value) => setDraft({ ...draft, accounts: value })}
          error={errorAt(errors, 'accounts')}
        />
        <MultiSelect
          label={t('Only for these groups')}
          description={t('With neither accounts nor groups the flag is on for everybody')}
          searchable
          data={[...new Set(['default', ...groups.map(({ name }) => name), ...draft.groups])]}
          value={draft.groups}
          onChange={(value) => setDraft({ ...draft, groups: value })}
          error={errorAt(errors, 'groups')}
        />
        <FormFooter
          errors={errors}
          fields={['name', 'accounts', 'groups']}
          busy={busy}
          submit={t('Save')}
          cancel={close}
        />
      </Stack>
    </form>
  );
}
