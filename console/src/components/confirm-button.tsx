// A button for what cannot easily be undone: asks first, shows what went wrong, closes when it worked.
import { Button, type ButtonProps, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
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
  const run = async () => {
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
              Cancel
            </Button>
            <Button color="red" loading={busy} onClick={() => void run()}>
              {confirm}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
