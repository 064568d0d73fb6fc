// Copies a channel with its keys and settings; the copy is off until somebody enables it.
import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Channel, channelClone } from '#contract/channels.ts';
import { FormFooter } from '../../../components/form-footer.tsx';
import { FormModal } from '../../../components/form-modal.tsx';
import { t } from '../../../i18n/t.ts';
import { errorAt } from '../../../lib/check-form.ts';
import { allChannels } from '../../../lib/choices.ts';
import { useFormSend } from '../../../lib/use-form-send.ts';
import { useCloneChannel } from '../api.ts';
import { freeName } from '../connect/vendors.ts';

export function CloneButton({ channel, onDone }: { channel: Channel; onDone(id: string): void }) {
  const [opened, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button variant="default" onClick={open}>
        {t('Clone')}
      </Button>
      <FormModal opened={opened} onClose={close} title={t('Clone this channel')}>
        <CloneForm channel={channel} close={close} onDone={onDone} />
      </FormModal>
    </>
  );
}

function CloneForm({ channel, close, onDone }: { channel: Channel; close(): void; onDone(id: string): void }) {
  const { data: channels = [] } = useQuery(allChannels);
  const [typed, setTyped] = useState<string>();
  const name = typed ?? freeName(channel.name, channels.map((one) => one.name).concat(channel.name));
  const clone = useCloneChannel(channel.id);
  const { errors, busy, submit } = useFormSend(
    channelClone,
    () => ({ name: name.trim() }),
    async (body) => {
      const made = await clone.mutateAsync(body.name);
      close();
      onDone(made.id);
    },
  );
  return (
    <form noValidate onSubmit={submit} autoComplete="off">
      <Stack>
        <Text size="sm">
          {t(
            'The copy has the same keys, models and settings. It is disabled: nothing is sent to it before you enable it.',
          )}
        </Text>
        <TextInput
          label={t('Name of the copy')}
          data-autofocus
          value={name}
          onChange={(event) => setTyped(event.currentTarget.value)}
          error={errorAt(errors, 'name')}
        />
        <FormFooter errors={errors} fields={['name']} busy={busy} submit={t('Clone')} cancel={close} />
      </Stack>
    </form>
  );
}
