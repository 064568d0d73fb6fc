// Name and password.
import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { sentenceOf } from '../../lib/api-error.ts';
import { useSignIn } from '../../lib/session.ts';
import { Notice } from '../../components/states.tsx';
import { SignInFrame } from './sign-in-frame.tsx';

export function SignInScreen() {
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const signIn = useSignIn();
  return (
    <SignInFrame title="Sign in">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          signIn.mutate({ name, password }, { onError: () => setPassword('') });
        }}
      >
        <Stack>
          {signIn.error !== null && (
            <Notice color="red">
              <span role="alert">{sentenceOf(signIn.error)}</span>
            </Notice>
          )}
          <TextInput
            label="Name"
            name="username"
            autoComplete="username"
            autoCapitalize="none"
            autoFocus
            required
            withAsterisk={false}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
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
        </Stack>
      </form>
    </SignInFrame>
  );
}
