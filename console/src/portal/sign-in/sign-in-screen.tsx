// E-mail address and password of a member; or the way to the sign-in service, if there is one.
import { Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../../i18n/t.ts';
import { OidcLink } from '../../components/oidc-link.tsx';
import { LoadingPage, Notice } from '../../components/states.tsx';
import { sentenceOf } from '../../lib/api-error.ts';
import { signInFailure } from '../../lib/sign-in-failure.ts';
import { signInWaysQuery } from '../../lib/sign-in-ways.ts';
import { useSignIn } from '../session.ts';
import { failureMessages } from './failure-messages.ts';
import { PortalFrame } from './portal-frame.tsx';

export function SignInScreen() {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const signIn = useSignIn();
  const ways = useQuery(signInWaysQuery);
  const failure = signInFailure && failureMessages[signInFailure];
  const words = signIn.error === null ? failure : sentenceOf(signIn.error);
  if (ways.isPending) return <LoadingPage />; // the page is shown whole, so that nothing jumps
  return (
    <PortalFrame title={t('Sign in')}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          signIn.mutate({ email: email.trim(), password }, { onError: () => setPassword('') });
        }}
      >
        <Stack>
          {words !== undefined && (
            <Notice color="red">
              <span role="alert">{words}</span>
            </Notice>
          )}
          <TextInput
            label={t('E-mail address')}
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
            label={t('Password')}
            name="password"
            autoComplete="current-password"
            required
            withAsterisk={false}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            visibilityToggleButtonProps={{ 'aria-label': t('Show or hide the password') }}
          />
          <Button type="submit" fullWidth mt="xs" loading={signIn.isPending}>
            {t('Sign in')}
          </Button>
          <Text size="xs" c="dimmed">
            {t('No access yet, or the password forgotten? Ask the person who runs your account for an invite.')}
          </Text>
        </Stack>
      </form>
      {ways.data?.oidc && <OidcLink {...ways.data.oidc} />}
    </PortalFrame>
  );
}
