// What can be done to one operator.
import { Group, PasswordInput } from '@mantine/core';
import { useState } from 'react';
import { newPassword, type Operator } from '#contract/operators.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { useChangeOperator } from './api.ts';

const button = { size: 'compact-sm' } as const;

export function OperatorActions({ operator }: { operator: Operator }) {
  const change = useChangeOperator(operator);
  const [password, setPassword] = useState('');
  const otherRole = operator.role === 'admin' ? 'viewer' : 'admin';
  const otherStatus = operator.status === 'active' ? 'disabled' : 'active';
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      <ConfirmButton
        label={`Make ${otherRole}`}
        title={`Make ${operator.name} ${otherRole === 'admin' ? 'an admin' : 'a viewer'}`}
        question={otherRole === 'admin' ? 'Admins may change everything, also other operators.' : 'Viewers only read.'}
        confirm={`Make ${otherRole}`}
        button={button}
        act={() => change.mutateAsync({ role: otherRole })}
      />
      <ConfirmButton
        label="Reset password"
        title={`Give ${operator.name} a new password`}
        question="All their sessions end, and they must choose their own password when they sign in again."
        confirm="Reset password"
        button={button}
        act={async () => {
          if (!newPassword.safeParse(password).success) throw new Error('A password has at least 10 characters.');
          await change.mutateAsync({ password });
          setPassword('');
        }}
      >
        <PasswordInput
          label="New password"
          autoComplete="new-password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password' }}
        />
      </ConfirmButton>
      {operator.second_factor && (
        <ConfirmButton
          label="Reset second factor"
          title={`Take the second factor of ${operator.name} away`}
          question="For somebody who has lost their authenticator and their recovery codes: they sign in with their password alone until they set up another. All their sessions end."
          confirm="Take it away"
          button={button}
          act={() => change.mutateAsync({ second_factor: false })}
        />
      )}
      <ConfirmButton
        label={otherStatus === 'disabled' ? 'Disable' : 'Enable'}
        title={otherStatus === 'disabled' ? `Disable ${operator.name}` : `Enable ${operator.name}`}
        question={
          otherStatus === 'disabled' ? 'They are signed out everywhere and cannot sign in.' : 'They can sign in again.'
        }
        confirm={otherStatus === 'disabled' ? 'Disable' : 'Enable'}
        button={button}
        act={() => change.mutateAsync({ status: otherStatus })}
      />
    </Group>
  );
}
