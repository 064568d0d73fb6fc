// The end of a form: what is wrong with the whole of it, and its two buttons.
import { Button, Group, Stack } from '@mantine/core';
import type { FieldErrors } from '../lib/check-form.ts';
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
  return (
    <Stack gap="sm">
      {rest.map(([path, sentence]) => (
        <Notice key={path} color="red">
          <span role="alert">{path === '' ? sentence : `${path}: ${sentence}`}</span>
        </Notice>
      ))}
      <Group justify="flex-end">
        {cancel !== undefined && (
          <Button variant="default" onClick={cancel}>
            Cancel
          </Button>
        )}
        <Button type="submit" loading={busy}>
          {submit}
        </Button>
      </Group>
    </Stack>
  );
}
