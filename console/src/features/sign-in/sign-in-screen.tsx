// Name and password, and the code of those who have a second factor; or the way to the sign-in service, if there is one.
import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../../i18n/t.ts';
import { ApiError, sentenceOf } from '../../lib/api-error.ts';
import { useSignIn } from '../../lib/session.ts';
import { signInFailure } from '../../lib/sign-in-failure.ts';
import { signInWaysQuery } from '../../lib/sign-in-ways.ts';
import { OidcLink } from '../../components/oidc-link.tsx';
import { LoadingPage, Notice } from '../../components/states.tsx';
import { failureMessages } from './failure-messages.ts';
import { SignInFrame } from './sign-in-frame.tsx';

export function SignInScreen() {
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [asked, setAsked] = useState(false);
  const signIn = useSignIn();
  const ways = useQuery(signInWaysQuery);
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
  const words = signInFailure === undefined || signIn.error !== null ? undefined : failureMessages[signInFailure];
  if (ways.isPending) return <LoadingPage />; // the page is shown whole, so that nothing jumps
  return (
    <SignInFrame title={t('Sign in')}>
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
          {words !== undefined && (
            <Notice color="red">
              <span role="alert">{words}</span>
            </Notice>
          )}
          <TextInput
            label={t('Name')}
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
            label={t('Password')}
            name="password"
            autoComplete="current-password"
            required
            withAsterisk={false}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            visibilityToggleButtonProps={{ 'aria-label': t('Show or hide the password') }}
          />
          {asked && (
            <TextInput
              key="code"
              label={t('Code')}
              description={t('Six digits of your authenticator, or a recovery code')}
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
            {t('Sign in')}
          </Button>
        </Stack>
      </form>
      {ways.data?.oidc && <OidcLink {...ways.data.oidc} />}
    </SignInFrame>
  );
}
