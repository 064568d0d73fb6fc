// Changes one's own password, with the new one typed twice.
import { Button, PasswordInput, Stack } from '@mantine/core';
import { useState } from 'react';
import type { z } from 'zod';
import { t } from '../i18n/t.ts';
import { checkForm, errorAt, errorsOf, type FieldErrors } from '../lib/check-form.ts';
import { Notice } from './states.tsx';

const fields = ['current_password', 'new_password', 'again'];
const toggle = { 'aria-label': t('Show or hide the password') };

interface PasswordFormProps {
  submit: string;
  /** What the API takes, and its least length of a password. */
  schema: z.ZodType;
  least: number;
  change(body: { current_password: string; new_password: string }): Promise<unknown>;
  onDone(): void;
}

export function PasswordForm({ submit, schema, least, change, onDone }: PasswordFormProps) {
  const [values, setValues] = useState({ current_password: '', new_password: '', again: '' });
  const [errors, setErrors] = useState<FieldErrors>();
  const [busy, setBusy] = useState(false);
  const set = (field: keyof typeof values) => (event: { currentTarget: { value: string } }) =>
    setValues({ ...values, [field]: event.currentTarget.value });

  const send = async () => {
    const { again, ...body } = values;
    const wrong = checkForm(schema, body);
    if (wrong !== undefined) return setErrors(wrong);
    if (again !== body.new_password) return setErrors({ again: t('The two are not the same.') });
    setErrors(undefined);
    setBusy(true);
    try {
      await change(body);
      onDone();
    } catch (error) {
      setErrors(errorsOf(error));
    } finally {
      setBusy(false);
    }
  };

  const whole = Object.entries(errors ?? {}).find(([path]) => !fields.includes(path))?.[1];
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <Stack>
        {whole !== undefined && <Notice color="red">{whole}</Notice>}
        <PasswordInput
          label={t('Current password')}
          autoComplete="current-password"
          value={values.current_password}
          onChange={set('current_password')}
          error={errorAt(errors, 'current_password')}
          visibilityToggleButtonProps={toggle}
        />
        <PasswordInput
          label={t('New password')}
          description={t('At least {count} characters.', { count: String(least) })}
          autoComplete="new-password"
          value={values.new_password}
          onChange={set('new_password')}
          error={errorAt(errors, 'new_password')}
          visibilityToggleButtonProps={toggle}
        />
        <PasswordInput
          label={t('New password again')}
          autoComplete="new-password"
          value={values.again}
          onChange={set('again')}
          error={errorAt(errors, 'again')}
          visibilityToggleButtonProps={toggle}
        />
        <Button type="submit" loading={busy} style={{ alignSelf: 'flex-start' }}>
          {submit}
        </Button>
      </Stack>
    </form>
  );
}
