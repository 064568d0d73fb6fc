// The first thing an operator does with a password somebody else has seen. The gateway answers nothing else before.
import { Anchor, Stack, Text } from '@mantine/core';
import { t } from '../../i18n/t.ts';
import { OperatorPasswordForm } from '../../components/operator-password-form.tsx';
import { useSignOut } from '../../lib/session.ts';
import { SignInFrame } from './sign-in-frame.tsx';

export function ChangeGivenPassword({ onDone }: { onDone(): void }) {
  const signOut = useSignOut();
  return (
    <SignInFrame title={t('Choose your own password')}>
      <Stack>
        <Text size="sm" c="dimmed">
          {t('The password you signed in with was printed or given to you. Replace it before you go on.')}
        </Text>
        <OperatorPasswordForm submit={t('Change password')} onDone={onDone} />
        <Anchor
          component="button"
          type="button"
          size="sm"
          ta="start"
          onClick={() => signOut.mutate({ everywhere: false })}
        >
          {t('Sign out')}
        </Anchor>
      </Stack>
    </SignInFrame>
  );
}
