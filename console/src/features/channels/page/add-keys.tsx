// Adds keys to those that a channel has, which stay as they are.
import { Button, Group, Textarea } from '@mantine/core';
import { useState } from 'react';
import { type Channel, channelKeysAdd } from '#contract/channels.ts';
import { Notice } from '../../../components/states.tsx';
import { t } from '../../../i18n/t.ts';
import { errorAt } from '../../../lib/check-form.ts';
import { useFormSend } from '../../../lib/use-form-send.ts';
import { useChangeKeys } from '../api.ts';
import { keysIn } from '../form/channel-draft.ts';

export function AddKeys({ channel }: { channel: Channel }) {
  const [text, setText] = useState('');
  const keys = useChangeKeys(channel);
  const { errors, busy, submit } = useFormSend(
    channelKeysAdd,
    () => ({ keys: keysIn(text) }),
    async (body) => {
      await keys.add(body.keys);
      setText('');
    },
  );
  const others = Object.entries(errors ?? {}).filter(([path]) => !path.startsWith('keys'));
  return (
    <form noValidate onSubmit={submit} autoComplete="off" aria-label={t('Add a key')}>
      <Group align="flex-end" gap="xs">
        <Textarea
          flex={1}
          label={t('Add a key')}
          description={t('Encrypted, never shown again. Several: one per line')}
          autosize
          minRows={1}
          maxRows={5}
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          error={errorAt(errors, 'keys') ?? keyError(errors)}
        />
        <Button type="submit" variant="default" loading={busy} disabled={text.trim() === ''}>
          {t('Add')}
        </Button>
      </Group>
      {others.map(([path, sentence]) => (
        <Notice key={path} color="red">
          <span role="alert">{sentence}</span>
        </Notice>
      ))}
    </form>
  );
}

/** The API names the key at fault as keys[0]. */
function keyError(errors: Record<string, string> | undefined): string | undefined {
  const found = Object.entries(errors ?? {}).find(([path]) => path.startsWith('keys['));
  return found?.[1];
}
