// What can be done with one token: change it, give it a new key, disable or end it.
import { Button, Flex, SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { PortalToken } from '#contract/portal.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { tellFailure } from '../../lib/tell-failure.ts';
import { useChangeToken, useEndToken, useRotateToken } from './api.ts';

interface TokenActionsProps {
  token: PortalToken;
  onEdit(): void;
  onKey(key: string): void;
}

const button = { size: 'compact-sm' } as const;
const GRACES = [
  { value: '0', label: 'At once' },
  { value: '3600', label: 'In an hour' },
  { value: '86400', label: 'In a day' },
];

export function TokenActions({ token, onEdit, onKey }: TokenActionsProps) {
  const { id, name, status } = token;
  const [grace, setGrace] = useState('0');
  const change = useChangeToken(id);
  const rotate = useRotateToken(id);
  const end = useEndToken(id);
  return (
    <Flex gap="xs" justify="flex-end" align="flex-end" direction={{ base: 'column', sm: 'row' }}>
      <Button variant="default" {...button} onClick={onEdit} aria-label={`Edit ${name}`}>
        Edit
      </Button>
      <ConfirmButton
        label="Rotate"
        title={`New key for ${name}`}
        question="The token gets a new key, shown once. The old key ends:"
        confirm="Rotate"
        button={button}
        act={async () => onKey((await rotate.mutateAsync({ grace_seconds: Number(grace) })).key)}
      >
        <Stack gap={4}>
          <SegmentedControl aria-label="When the old key ends" value={grace} onChange={setGrace} data={GRACES} />
          <Text size="xs" c="dimmed">
            Until then both keys work.
          </Text>
        </Stack>
      </ConfirmButton>
      {status === 'enabled' ? (
        <ConfirmButton
          label="Disable"
          title={`Disable ${name}`}
          question="Calls with it are refused until it is enabled again."
          confirm="Disable"
          button={button}
          act={() => change.mutateAsync({ status: 'disabled' })}
        />
      ) : (
        <>
          <Button
            variant="default"
            {...button}
            loading={change.isPending}
            onClick={() => change.mutate({ status: 'enabled' }, { onError: tellFailure })}
          >
            Enable
          </Button>
          <ConfirmButton
            label="End"
            title={`End ${name}`}
            question="Its keys stop working for good. Its requests and charges stay listed."
            confirm="End the token"
            button={button}
            act={() => end.mutateAsync()}
          />
        </>
      )}
    </Flex>
  );
}
