// The end of a form: what is wrong with the whole of it, and its two buttons.
import { Button, Group, Stack } from '@mantine/core';
import { t } from '../i18n/t.ts';
import type { FieldErrors } from '../lib/check-form.ts';
import { conflictOf } from '../lib/form-conflict.ts';
import { ConflictNotice } from './conflict-notice.tsx';
import { Notice } from './states.tsx';

interface FormFooterProps {
  errors: FieldErrors | undefined;
  /** Fields that show their own complaint. */
  fields: readonly string[];
  busy: boolean;
  submit: string;
  cancel?: (() => void) | undefined;
}

export function FormFooter({ errors, fields, busy, submit, cancel }: FormFooterProps) {
  const rest = Object.entries(errors ?? {}).filter(
    ([path]) => !fields.some((field) => path === field || path.startsWith(`${field}.`)),
  );
  const conflict = conflictOf(errors);
  return (
    <Stack gap="sm">
      {conflict !== undefined && <ConflictNotice conflict={conflict} discard={cancel} />}
      {rest.map(([path, sentence]) => (
        <Notice key={path} color="red">
          <span role="alert">{path === '' ? sentence : `${path}: ${sentence}`}</span>
        </Notice>
      ))}
      <Group justify="flex-end">
        {cancel !== undefined && (
          <Button variant="default" onClick={cancel}>
            {t('Cancel')}
          </Button>
        )}
        <Button type="submit" loading={busy}>
          {submit}
        </Button>
      </Group>
    </Stack>
  );
}
