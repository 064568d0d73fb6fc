// What can be done with one token: change it, give it a new key, disable or end it.
import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { PortalToken } from '#contract/portal.ts';
import { t } from '../../i18n/t.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { notifyFailure } from '../../lib/notify-failure.ts';
import { useChangeToken, useEndToken, useRotateToken } from './api.ts';

interface TokenActionsProps {
  token: PortalToken;
  onEdit(): void;
  onKey(key: string): void;
}

const button = { size: 'compact-sm' } as const;
const GRACES = [
  { value: '0', label: t('At once') },
  { value: '3600', label: t('In an hour') },
  { value: '86400', label: t('In a day') },
];

export function TokenActions({ token, onEdit, onKey }: TokenActionsProps) {
  const { id, name, status } = token;
  const [grace, setGrace] = useState('0');
  const change = useChangeToken(id);
  const rotate = useRotateToken(id);
  const end = useEndToken(id);
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      <Button variant="default" {...button} onClick={onEdit} aria-label={t('Edit {name}', { name })}>
        {t('Edit')}
      </Button>
      <ConfirmButton
        label={t('Rotate')}
        title={t('New key for {name}', { name })}
        question={t('The token gets a new key, shown once. The old key ends:')}
        confirm={t('Rotate')}
        button={button}
        act={async () => onKey((await rotate.mutateAsync({ grace_seconds: Number(grace) })).key)}
      >
        <Stack gap={4}>
          <SegmentedControl aria-label={t('When the old key ends')} value={grace} onChange={setGrace} data={GRACES} />
          <Text size="xs" c="dimmed">
            {t('Until then both keys work.')}
          </Text>
        </Stack>
      </ConfirmButton>
      {status === 'enabled' ? (
        <ConfirmButton
          label={t('Disable')}
          title={t('Disable {name}', { name })}
          question={t('Calls with it are refused until it is enabled again.')}
          confirm={t('Disable')}
          button={button}
          act={() => change.mutateAsync({ status: 'disabled' })}
        />
      ) : (
        <>
          <Button
            variant="default"
            {...button}
            loading={change.isPending}
            onClick={() => change.mutate({ status: 'enabled' }, { onError: notifyFailure })}
          >
            {t('Enable')}
          </Button>
          <ConfirmButton
            label={t('End')}
            title={t('End {name}', { name })}
            question={t('Its keys stop working for good. Its requests and charges stay listed.')}
            confirm={t('End the token')}
            button={button}
            act={() => end.mutateAsync()}
          />
        </>
      )}
    </Group>
  );
}
