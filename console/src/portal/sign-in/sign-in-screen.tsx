// E-mail address and password of a member.
import { Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Notice } from '../../components/states.tsx';
import { sentenceOf } from '../../lib/api-error.ts';
import { useSignIn } from '../session.ts';
import { PortalFrame } from './portal-frame.tsx';

export function SignInScreen() {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const signIn = useSignIn();
  return (
    <PortalFrame title="Sign in">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          signIn.mutate({ email: email.trim(), password }, { onError: () => setPassword('') });
        }}
      >
        <Stack>
          {signIn.error !== null && (
            <Notice color="red">
              <span role="alert">{sentenceOf(signIn.error)}</span>
            </Notice>
          )}
          <TextInput
            label="E-mail address"
            type="email"
            name="email"
            autoComplete="username"
            autoFocus
            required
            withAsterisk={false}
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <PasswordInput
            label="Password"
            name="password"
            autoComplete="current-password"
            required
            withAsterisk={false}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password' }}
          />
          <Button type="submit" fullWidth mt="xs" loading={signIn.isPending}>
            Sign in
          </Button>
          <Text size="xs" c="dimmed">
            No access yet, or the password forgotten? Ask the person who runs your account for an invite.
          </Text>
        </Stack>
      </form>
    </PortalFrame>
  );
}
