// The operator's own second factor: whether there is one, and the ways to have it and to give it up.
import { Button, Group, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { secondFactorRemove } from '#contract/session.ts';
import { plural, t } from '../../i18n/t.ts';
import { StateBadge } from '../../components/badges.tsx';
import { Card } from '../../components/card.tsx';
import { FormFooter } from '../../components/form-footer.tsx';
import { Shown } from '../../components/states.tsx';
import { errorAt } from '../../lib/check-form.ts';
import { useFormSend } from '../../lib/use-form-send.ts';
import { EnrolSecondFactor } from './enrol-second-factor.tsx';
import { secondFactorQuery, useRemoveSecondFactor } from './second-factor-api.ts';

export function SecondFactorCard() {
  const query = useQuery(secondFactorQuery);
  const [enrolling, enrol] = useDisclosure(false);
  const [removing, remove] = useDisclosure(false);
  return (
    <Card title={t('Second factor')} description={t('A code from an authenticator, asked for after your password.')}>
      <Shown query={query}>
        {({ enabled, recovery_codes_left: left }) => (
          <Stack align="flex-start">
            <Group gap="sm">
              <StateBadge state={enabled ? 'enabled' : 'off'} />
              {enabled && (
                <Text size="sm" c="dimmed">
                  {plural(left, '{count} recovery code is left', '{count} recovery codes are left')}
                </Text>
              )}
            </Group>
            <Button variant="default" onClick={enabled ? remove.open : enrol.open}>
              {enabled ? t('Turn off') : t('Set up')}
            </Button>
          </Stack>
        )}
      </Shown>
      <Modal
        opened={enrolling}
        onClose={enrol.close}
        title={t('Set up a second factor')}
        closeOnClickOutside={false}
        size="lg"
      >
        <EnrolSecondFactor close={enrol.close} />
      </Modal>
      <Modal opened={removing} onClose={remove.close} title={t('Turn off the second factor')}>
        <RemoveForm close={remove.close} />
      </Modal>
    </Card>
  );
}

function RemoveForm({ close }: { close(): void }) {
  const [draft, setDraft] = useState({ password: '', code: '' });
  const remove = useRemoveSecondFactor();
  const { errors, busy, submit } = useFormSend(
    secondFactorRemove,
    () => draft,
    async (body) => {
      await remove.mutateAsync(body);
      close();
    },
  );
  return (
    <form noValidate onSubmit={submit}>
      <Stack>
        <PasswordInput
          label={t('Password')}
          autoComplete="current-password"
          data-autofocus
          value={draft.password}
          onChange={(event) => setDraft({ ...draft, password: event.currentTarget.value })}
          error={errorAt(errors, 'password')}
          visibilityToggleButtonProps={{ 'aria-label': t('Show or hide the password') }}
        />
        <TextInput
          label={t('Code')}
          description={t('Six digits, or a recovery code')}
          autoComplete="one-time-code"
          value={draft.code}
          onChange={(event) => setDraft({ ...draft, code: event.currentTarget.value })}
          error={errorAt(errors, 'code')}
        />
        <FormFooter errors={errors} fields={['password', 'code']} busy={busy} submit={t('Turn off')} cancel={close} />
      </Stack>
    </form>
  );
}
