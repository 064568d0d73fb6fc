// Name, group and models of an account.
import { Select, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Account, accountCreate, accountPatch } from '#contract/accounts.ts';
import { FormFooter } from '../../components/form-footer.tsx';
import { ModelPatternsInput } from '../../components/model-patterns-input.tsx';
import { allGroups } from '../../lib/choices.ts';
import { errorAt } from '../../lib/check-form.ts';
import { useFormSend } from '../../lib/use-form-send.ts';
import { useSaveAccount } from './api.ts';

interface AccountFormProps {
  account: Account | undefined;
  onDone(account: Account): void;
  cancel(): void;
}

export function AccountForm({ account, onDone, cancel }: AccountFormProps) {
  const [name, setName] = useState(account?.name ?? '');
  const [group, setGroup] = useState(account?.group ?? 'default');
  const [models, setModels] = useState(account?.models ?? null);
  const { data: groups = [] } = useQuery(allGroups);
  const save = useSaveAccount(account?.id);
  const { errors, busy, submit } = useFormSend(
    account === undefined ? accountCreate : accountPatch,
    () => ({ name: name.trim(), group, models }),
    async (body) => onDone(await save.mutateAsync(body)),
  );
  const names = [...new Set(['default', ...groups.map((one) => one.name), group])];
  return (
    <form noValidate onSubmit={submit}>
      <Stack>
        <TextInput
          label="Name"
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={errorAt(errors, 'name')}
        />
        <Select
          label="Group"
          description="Decides price multiplier and channels"
          allowDeselect={false}
          data={names}
          value={group}
          onChange={(value) => setGroup(value ?? 'default')}
          error={errorAt(errors, 'group')}
        />
        <ModelPatternsInput label="Models" value={models} onChange={setModels} error={errorAt(errors, 'models')} />
        <FormFooter
          errors={errors}
          fields={['name', 'group', 'models']}
          busy={busy}
          submit={account === undefined ? 'Create account' : 'Save'}
          cancel={cancel}
        />
      </Stack>
    </form>
  );
}
