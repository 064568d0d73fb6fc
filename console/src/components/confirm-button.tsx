// A button for what cannot easily be undone: asks first, shows what went wrong, closes when it worked.
import { Button, type ButtonProps, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { t } from '../i18n/t.ts';
import { ApiError } from '../lib/api-error.ts';
import { overwriteNext } from '../lib/overwrite.ts';
import { ErrorState } from './states.tsx';

interface ConfirmProps {
  label: string;
  title: string;
  question: ReactNode;
  confirm: string;
  act(): Promise<unknown>;
  button?: ButtonProps;
  children?: ReactNode;
}

export function ConfirmButton({ label, title, question, confirm, act, button, children }: ConfirmProps) {
  const [opened, { open, close }] = useDisclosure(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const conflict = error instanceof ApiError ? error.conflict : undefined;
  const run = async () => {
    if (conflict !== undefined) overwriteNext(conflict.target);
    setBusy(true);
    setError(undefined);
    try {
      await act();
      close();
    } catch (problem) {
      setError(problem);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button variant="default" {...button} onClick={open}>
        {label}
      </Button>
      <Modal opened={opened} onClose={close} title={title}>
        <Stack>
          <Text size="sm" component="div" className="long">
            {question}
          </Text>
          {children}
          {error !== undefined && <ErrorState error={error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {t('Cancel')}
            </Button>
            <Button color="red.9" loading={busy} onClick={() => void run()}>
              {conflict === undefined ? confirm : t('{action} anyway', { action: confirm })}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
