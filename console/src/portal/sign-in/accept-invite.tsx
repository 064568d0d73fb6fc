// The first visit of a member: the invite gives the right, the member chooses a password, or signs in through the issuer with
// the address that was invited.
import { Anchor, Button, PasswordInput, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { inviteAccept } from '#contract/portal.ts';
import { t } from '../../i18n/t.ts';
import { OidcLink } from '../../components/oidc-link.tsx';
import { Notice } from '../../components/states.tsx';
import { brandName } from '../../lib/brand.ts';
import { errorAt } from '../../lib/check-form.ts';
import { signInWaysQuery } from '../../lib/sign-in-ways.ts';
import { useFormSend } from '../../lib/use-form-send.ts';
import { useAcceptInvite } from '../session.ts';
import { PortalFrame } from './portal-frame.tsx';

const toggle = { 'aria-label': t('Show or hide the password') };

export function AcceptInvite({ token, onDone }: { token: string; onDone(): void }) {
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const accept = useAcceptInvite();
  const ways = useQuery(signInWaysQuery);
  const { errors, busy, submit } = useFormSend(
    inviteAccept,
    () => ({ token, password }),
    async (body) => {
      if (again !== password) throw new Error(t('The two passwords are not the same.'));
      await accept.mutateAsync(body);
      onDone();
    },
  );
  const whole = errorAt(errors, 'token') ?? errors?.[''];
  return (
    <PortalFrame title={t('Choose your password')}>
      <form noValidate onSubmit={submit}>
        <Stack>
          <Text size="sm" c="dimmed">
            {t('You are invited to {name}. Choose a password to go on.', { name: brandName })}
          </Text>
          {whole !== undefined && (
            <Notice color="red">
              <span role="alert">{whole}</span>
            </Notice>
          )}
          <PasswordInput
            label={t('Password')}
            description={t('At least 8 characters')}
            autoComplete="new-password"
            autoFocus
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            error={errorAt(errors, 'password')}
            visibilityToggleButtonProps={toggle}
          />
          <PasswordInput
            label={t('Password again')}
            autoComplete="new-password"
            value={again}
            onChange={(event) => setAgain(event.currentTarget.value)}
            visibilityToggleButtonProps={toggle}
          />
          <Button type="submit" fullWidth loading={busy}>
            {t('Accept the invite')}
          </Button>
          <Anchor component="button" type="button" size="sm" onClick={onDone}>
            {t('I have a password already')}
          </Anchor>
        </Stack>
      </form>
      {ways.data?.oidc && <OidcLink {...ways.data.oidc} />}
    </PortalFrame>
  );
}
