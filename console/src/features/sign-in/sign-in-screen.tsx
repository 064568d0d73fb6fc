// Name and password, and the code of those who have a second factor.
import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ApiError, sentenceOf } from '../../lib/api-error.ts';
import { useSignIn } from '../../lib/session.ts';
import { Notice } from '../../components/states.tsx';
import { SignInFrame } from './sign-in-frame.tsx';

export function SignInScreen() {
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [asked, setAsked] = useState(false);
  const signIn = useSignIn();
  const wantsCode = signIn.error instanceof ApiError && signIn.error.code === 'second_factor_required';
  const send = () =>
    signIn.mutate(
      { name, password, ...(asked && { code }) },
      {
        onError(error) {
          setCode('');
          if (error instanceof ApiError && error.code === 'second_factor_required') setAsked(true);
          else if (!asked) setPassword('');
        },
      },
    );
  return (
    <SignInFrame title="Sign in">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <Stack>
          {signIn.error !== null && !wantsCode && (
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
            onChange={(event) => {
              setName(event.currentTarget.value);
              setAsked(false);
            }}
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
          {asked && (
            <TextInput
              key="code"
              label="Code"
              description="Six digits of your authenticator, or a recovery code"
              name="code"
              autoComplete="one-time-code"
              autoFocus
              required
              withAsterisk={false}
              value={code}
              onChange={(event) => setCode(event.currentTarget.value)}
            />
          )}
          <Button type="submit" fullWidth mt="xs" loading={signIn.isPending}>
            Sign in
          </Button>
        </Stack>
      </form>
    </SignInFrame>
  );
}
