// A secret that is shown this one time.
import { Button, CopyButton, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { rich } from '../i18n/rich.ts';
import { t } from '../i18n/t.ts';
import { Icon } from './icon.tsx';
import { Notice } from './states.tsx';

interface SecretOnceProps {
  title: string;
  secret: string | undefined;
  onClose(): void;
  /** What to do with it. */
  hint?: ReactNode;
  /** What it is. */
  label?: string;
  notice?: string;
}

const KEY_NOTICE = t(
  'This key is shown only now. Keep it where secrets are kept: the gateway stores nothing that could bring it back.',
);
const BEARER = (
  <>{rich('Clients send it as {header}', { header: <span className="mono">Authorization: Bearer …</span> })}</>
);

export function SecretOnce({
  title,
  secret,
  onClose,
  hint = BEARER,
  label = t('Key'),
  notice = KEY_NOTICE,
}: SecretOnceProps) {
  return (
    <Modal
      opened={secret !== undefined}
      onClose={onClose}
      title={title}
      closeOnClickOutside={false}
      closeOnEscape={false}
      size="lg"
    >
      <Stack>
        <Notice color="yellow">{notice}</Notice>
        <Group align="flex-end" wrap="nowrap">
          <TextInput
            label={label}
            readOnly
            flex={1}
            value={secret ?? ''}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            onFocus={(event) => event.currentTarget.select()}
          />
          <CopyButton value={secret ?? ''}>
            {({ copied, copy }) => (
              <Button
                onClick={copy}
                color={copied ? 'green' : 'iris'}
                leftSection={<Icon name={copied ? 'check' : 'copy'} size={16} />}
              >
                {copied ? t('Copied') : t('Copy')}
              </Button>
            )}
          </CopyButton>
        </Group>
        <Text size="sm" c="dimmed">
          {hint}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('I have saved it')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
