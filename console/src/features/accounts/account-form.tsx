// Name, group, models and limits of an account.
import { Divider, Select, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Account, accountCreate, accountPatch } from '#contract/accounts.ts';
import { t } from '../../i18n/t.ts';
import { FormFooter } from '../../components/form-footer.tsx';
import { ModelPatternsInput } from '../../components/model-patterns-input.tsx';
import { PeriodSelect } from '../../components/period-select.tsx';
import { RateInputs } from '../../components/rate-inputs.tsx';
import { allGroups } from '../../lib/choices.ts';
import { errorAt } from '../../lib/check-form.ts';
import { useFormSend } from '../../lib/use-form-send.ts';
import { type AccountDraft, bodyOf, draftOf } from './account-draft.ts';
import { useSaveAccount } from './api.ts';

const fields = ['name', 'group', 'models', 'budget', 'budget_period', 'rate'];

interface AccountFormProps {
  account: Account | undefined;
  onDone(account: Account): void;
  cancel(): void;
}

export function AccountForm({ account, onDone, cancel }: AccountFormProps) {
  const [opened] = useState(account); // the page behind may read it again
  const [draft, setDraft] = useState(() => draftOf(opened));
  const change = (part: Partial<AccountDraft>) => setDraft((before) => ({ ...before, ...part }));
  const { data: groups = [] } = useQuery(allGroups);
  const save = useSaveAccount(opened);
  const { errors, busy, submit } = useFormSend(
    account === undefined ? accountCreate : accountPatch,
    () => bodyOf(draft),
    async (body) => onDone(await save.mutateAsync(body)),
  );
  const names = [...new Set(['default', ...groups.map((one) => one.name), draft.group])];
  return (
    <form noValidate onSubmit={submit}>
      <Stack>
        <TextInput
          label={t('Name')}
          data-autofocus
          value={draft.name}
          onChange={(event) => change({ name: event.currentTarget.value })}
          error={errorAt(errors, 'name')}
        />
        <Select
          label={t('Group')}
          description={t('Decides price multiplier and channels')}
          allowDeselect={false}
          data={names}
          value={draft.group}
          onChange={(group) => change({ group: group ?? 'default' })}
          error={errorAt(errors, 'group')}
        />
        <ModelPatternsInput
          label={t('Models')}
          value={draft.models}
          onChange={(models) => change({ models })}
          error={errorAt(errors, 'models')}
        />
        <Divider label={t('Over all its tokens')} labelPosition="left" />
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput
            label={t('Budget')}
            description={t('The most that live calls may cost')}
            placeholder={t('As much as the balance')}
            inputMode="decimal"
            value={draft.budget}
            onChange={(event) => change({ budget: event.currentTarget.value })}
            error={errorAt(errors, 'budget')}
          />
          <PeriodSelect
            label={t('Budget resets')}
            never={t('Never')}
            value={draft.budgetPeriod}
            onChange={(budgetPeriod) => change({ budgetPeriod })}
            error={errorAt(errors, 'budget_period')}
          />
        </SimpleGrid>
        <RateInputs draft={draft} change={change} errors={errors} />
        <FormFooter
          errors={errors}
          fields={fields}
          busy={busy}
          submit={account === undefined ? t('Create account') : t('Save')}
          cancel={cancel}
        />
      </Stack>
    </form>
  );
}
