// What can be done to one operator.
import { Group, PasswordInput } from '@mantine/core';
import { useState } from 'react';
import { newPassword, type Operator } from '#contract/operators.ts';
import { t } from '../../i18n/t.ts';
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
        label={otherRole === 'admin' ? t('Make admin') : t('Make viewer')}
        title={
          otherRole === 'admin'
            ? t('Make {name} an admin', { name: operator.name })
            : t('Make {name} a viewer', { name: operator.name })
        }
        question={
          otherRole === 'admin' ? t('Admins may change everything, also other operators.') : t('Viewers only read.')
        }
        confirm={otherRole === 'admin' ? t('Make admin') : t('Make viewer')}
        button={button}
        act={() => change.mutateAsync({ role: otherRole })}
      />
      <ConfirmButton
        label={t('Reset password')}
        title={t('Give {name} a new password', { name: operator.name })}
        question={t('All their sessions end, and they must choose their own password when they sign in again.')}
        confirm={t('Reset password')}
        button={button}
        act={async () => {
          if (!newPassword.safeParse(password).success) throw new Error(t('A password has at least 10 characters.'));
          await change.mutateAsync({ password });
          setPassword('');
        }}
      >
        <PasswordInput
          label={t('New password')}
          autoComplete="new-password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          visibilityToggleButtonProps={{ 'aria-label': t('Show or hide the password') }}
        />
      </ConfirmButton>
      {operator.second_factor && (
        <ConfirmButton
          label={t('Reset second factor')}
          title={t('Take the second factor of {name} away', { name: operator.name })}
          question={t(
            'For somebody who has lost their authenticator and their recovery codes: they sign in with their password alone until they set up another. All their sessions end.',
          )}
          confirm={t('Take it away')}
          button={button}
          act={() => change.mutateAsync({ second_factor: false })}
        />
      )}
      <ConfirmButton
        label={otherStatus === 'disabled' ? t('Disable') : t('Enable')}
        title={
          otherStatus === 'disabled'
            ? t('Disable {name}', { name: operator.name })
            : t('Enable {name}', { name: operator.name })
        }
        question={
          otherStatus === 'disabled'
            ? t('They are signed out everywhere and cannot sign in.')
            : t('They can sign in again.')
        }
        confirm={otherStatus === 'disabled' ? t('Disable') : t('Enable')}
        button={button}
        act={() => change.mutateAsync({ status: otherStatus })}
      />
    </Group>
  );
}
