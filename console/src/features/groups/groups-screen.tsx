// Groups: a price multiplier and an optional list of models.
import { Button, Stack, Textarea, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { z } from 'zod';
import { type Group, group as groupSchema, groupList, groupPut } from '#contract/groups.ts';
import { groupName } from '#contract/values/text.ts';
import { t } from '../../i18n/t.ts';
import { ListTable } from '../../components/data-table.tsx';
import { FormFooter } from '../../components/form-footer.tsx';
import { FormModal } from '../../components/form-modal.tsx';
import { Icon } from '../../components/icon.tsx';
import { ModelPatternsInput } from '../../components/model-patterns-input.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { Page } from '../../components/page.tsx';
import { EmptyState } from '../../components/states.tsx';
import { callApi } from '../../lib/api-client.ts';
import { errorAt } from '../../lib/check-form.ts';
import { forget, usePages } from '../../lib/lists.ts';
import { useMayChange } from '../../lib/session.ts';
import { useFormSend } from '../../lib/use-form-send.ts';

const formSchema = groupPut.extend({ name: groupName.min(1) });

export function GroupsScreen() {
  const mayChange = useMayChange();
  const pages = usePages({ path: '/groups', schema: groupList });
  /** null = a new one. */
  const [edited, setEdited] = useState<Group | null>();
  return (
    <Page
      title={t('Groups')}
      description={t('Accounts, tokens and channels meet in groups. The multiplier applies to every price.')}
      actions={
        mayChange && (
          <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setEdited(null)}>
            {t('Create group')}
          </Button>
        )
      }
    >
      <ListTable
        label={t('Groups')}
        pages={pages}
        keyOf={(row) => row.name}
        empty={
          <EmptyState icon="groups" title={t('No groups set up')}>
            {t('Everything is in the group “default” at the prices as they stand.')}
          </EmptyState>
        }
        columns={[
          { header: t('Name'), render: (row) => row.name },
          { header: t('Multiplier'), align: 'right', render: (row) => `× ${row.multiplier}` },
          { header: t('Description'), wide: true, render: (row) => <span className="cut">{row.description}</span> },
          {
            header: t('Models'),
            wide: true,
            render: (row) => (row.models === null ? t('every //model') : row.models.join(', ')),
          },
          {
            header: t('Accounts'),
            render: (row) => (
              <PageLink to="/accounts" search={{ group: row.name }}>
                {t('Show')}
              </PageLink>
            ),
          },
          {
            header: t('Actions'),
            hideHeader: true,
            align: 'right',
            render: (row) =>
              mayChange && (
                <Button
                  size="compact-sm"
                  variant="default"
                  onClick={() => setEdited(row)}
                  aria-label={t('Edit {name}', { name: row.name })}
                >
                  {t('Edit')}
                </Button>
              ),
          },
        ]}
      />
      <FormModal
        opened={edited !== undefined}
        onClose={() => setEdited(undefined)}
        title={edited === null ? t('Create group') : t('Edit group')}
      >
        {edited !== undefined && <GroupForm group={edited} close={() => setEdited(undefined)} />}
      </FormModal>
    </Page>
  );
}

function GroupForm({ group, close }: { group: Group | null; close(): void }) {
  const client = useQueryClient();
  const [etag] = useState(group?.etag);
  const [name, setName] = useState(group?.name ?? '');
  const [multiplier, setMultiplier] = useState(group?.multiplier ?? '1');
  const [description, setDescription] = useState(group?.description ?? '');
  const [models, setModels] = useState(group?.models ?? null);
  const save = useMutation({
    mutationFn: ({ name: path, ...body }: z.input<typeof formSchema>) =>
      callApi('PUT', `/groups/${encodeURIComponent(path)}`, { schema: groupSchema, body, etag }),
    onSuccess: () => forget(client, '/groups'),
  });
  const { errors, busy, submit } = useFormSend(
    formSchema,
    () => ({ name: name.trim(), multiplier: multiplier.trim(), description, models }),
    async (body) => {
      await save.mutateAsync(body);
      close();
      notifications.show({ message: t('Saved'), color: 'green' });
    },
  );
  return (
    <form noValidate onSubmit={submit}>
      <Stack>
        <TextInput
          label={t('Name')}
          data-autofocus
          disabled={group !== null}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={errorAt(errors, 'name')}
        />
        <TextInput
          label={t('Price multiplier')}
          description={t('1 = as the prices stand, 0.8 = a fifth off')}
          inputMode="decimal"
          value={multiplier}
          onChange={(event) => setMultiplier(event.currentTarget.value)}
          error={errorAt(errors, 'multiplier')}
        />
        <Textarea
          label={t('Description')}
          autosize
          minRows={2}
          value={description}
          onChange={(event) => setDescription(event.currentTarget.value)}
          error={errorAt(errors, 'description')}
        />
        <ModelPatternsInput label={t('Models')} value={models} onChange={setModels} error={errorAt(errors, 'models')} />
        <FormFooter
          errors={errors}
          fields={['name', 'multiplier', 'description', 'models']}
          busy={busy}
          submit={t('Save')}
          cancel={close}
        />
      </Stack>
    </form>
  );
}
