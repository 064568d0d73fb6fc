// The first visit of a member: the invite gives the right, the member chooses a password.
import { Anchor, Button, PasswordInput, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { inviteAccept } from '#contract/portal.ts';
import { Notice } from '../../components/states.tsx';
import { brandName } from '../../lib/brand.ts';
import { errorAt } from '../../lib/check-form.ts';
import { useFormSend } from '../../lib/use-form-send.ts';
import { useAcceptInvite } from '../session.ts';
import { PortalFrame } from './portal-frame.tsx';

const toggle = { 'aria-label': 'Show or hide the password' };

export function AcceptInvite({ token, onDone }: { token: string; onDone(): void }) {
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const accept = useAcceptInvite();
  const { errors, busy, submit } = useFormSend(
    inviteAccept,
    () => ({ token, password }),
    async (body) => {
      if (again !== password) throw new Error('The two passwords are not the same.');
      await accept.mutateAsync(body);
      onDone();
    },
  );
  const whole = errorAt(errors, 'token') ?? errors?.[''];
  return (
    <PortalFrame title="Choose your password">
      <form noValidate onSubmit={submit}>
        <Stack>
          <Text size="sm" c="dimmed">
            You are invited to {brandName}. Choose a password to go on.
          </Text>
          {whole !== undefined && (
            <Notice color="red">
              <span role="alert">{whole}</span>
            </Notice>
          )}
          <PasswordInput
            label="Password"
            description="At least 8 characters"
            autoComplete="new-password"
            autoFocus
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            error={errorAt(errors, 'password')}
            visibilityToggleButtonProps={toggle}
          />
          <PasswordInput
            label="Password again"
            autoComplete="new-password"
            value={again}
            onChange={(event) => setAgain(event.currentTarget.value)}
            visibilityToggleButtonProps={toggle}
          />
          <Button type="submit" fullWidth loading={busy}>
            Accept the invite
          </Button>
          <Anchor component="button" type="button" size="sm" onClick={onDone}>
            I have a password already
          </Anchor>
        </Stack>
      </form>
    </PortalFrame>
  );
}
