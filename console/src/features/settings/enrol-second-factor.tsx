// Three steps to a second factor: the password, the authenticator with a first code, the recovery codes.
import { Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { secondFactorBegin, type SecondFactorBegun, secondFactorConfirm } from '#contract/session.ts';
import { t } from '../../i18n/t.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { FormFooter } from '../../components/form-footer.tsx';
import { QrPicture } from '../../components/qr-picture.tsx';
import { Notice } from '../../components/states.tsx';
import { errorAt } from '../../lib/check-form.ts';
import { useFormSend } from '../../lib/use-form-send.ts';
import { useBeginSecondFactor, useConfirmSecondFactor } from './second-factor-api.ts';

export function EnrolSecondFactor({ close }: { close(): void }) {
  const [begun, setBegun] = useState<SecondFactorBegun>();
  const [codes, setCodes] = useState<string[]>();
  if (codes !== undefined) return <RecoveryCodes codes={codes} close={close} />;
  if (begun !== undefined) return <ConfirmStep begun={begun} onDone={setCodes} close={close} />;
  return <PasswordStep onDone={setBegun} close={close} />;
}

function PasswordStep({ onDone, close }: { onDone(begun: SecondFactorBegun): void; close(): void }) {
  const [password, setPassword] = useState('');
  const begin = useBeginSecondFactor();
  const { errors, busy, submit } = useFormSend(
    secondFactorBegin,
    () => ({ password }),
    async (body) => onDone(await begin.mutateAsync(body)),
  );
  return (
    <form noValidate onSubmit={submit}>
      <Stack>
        <PasswordInput
          label={t('Your password')}
          autoComplete="current-password"
          data-autofocus
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={errorAt(errors, 'password')}
          visibilityToggleButtonProps={{ 'aria-label': t('Show or hide the password') }}
        />
        <FormFooter errors={errors} fields={['password']} busy={busy} submit={t('Continue')} cancel={close} />
      </Stack>
    </form>
  );
}

interface ConfirmStepProps {
  begun: SecondFactorBegun;
  onDone(codes: string[]): void;
  close(): void;
}

function ConfirmStep({ begun, onDone, close }: ConfirmStepProps) {
  const [code, setCode] = useState('');
  const confirm = useConfirmSecondFactor();
  const { errors, busy, submit } = useFormSend(
    secondFactorConfirm,
    () => ({ code: code.trim() }),
    async (body) => onDone((await confirm.mutateAsync(body)).recovery_codes),
  );
  return (
    <form noValidate onSubmit={submit}>
      <Stack>
        <Text size="sm">{t('Scan this with an authenticator, or type the secret into it.')}</Text>
        <Group align="flex-start">
          <QrPicture text={begun.uri} label={t('QR code for the authenticator')} />
          <Stack flex={1} miw={220}>
            <CodeBlock text={begun.secret} label={t('Secret')} />
            <TextInput
              label={t('Code')}
              description={t('The six digits it shows now')}
              inputMode="numeric"
              autoComplete="one-time-code"
              autoFocus
              value={code}
              onChange={(event) => setCode(event.currentTarget.value)}
              error={errorAt(errors, 'code')}
            />
          </Stack>
        </Group>
        <FormFooter errors={errors} fields={['code']} busy={busy} submit={t('Turn it on')} cancel={close} />
      </Stack>
    </form>
  );
}

function RecoveryCodes({ codes, close }: { codes: string[]; close(): void }) {
  return (
    <Stack>
      <Notice color="yellow">
        {t('Keep these codes. Each signs you in once without the authenticator, and they are shown only now.')}
      </Notice>
      <CodeBlock text={codes.join('\n')} label={t('Recovery codes')} />
      <Group justify="flex-end">
        <Button onClick={close}>{t('I have saved them')}</Button>
      </Group>
    </Stack>
  );
}
