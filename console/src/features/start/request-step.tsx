// The fourth step: the first request, sent from here, and the same for a terminal.
import { Button, Group, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../../i18n/t.ts';
import { CodeSamples } from '../../components/code-samples.tsx';
import { Icon } from '../../components/icon.tsx';
import { PageButton } from '../../components/page-link.tsx';
import { ErrorState, Notice } from '../../components/states.tsx';
import { streamChat } from '../../lib/gateway-client.ts';
import { formatMilliseconds } from '../../lib/format-time.ts';

export function RequestStep({ model, tryKey }: { model: string | null; tryKey: string | undefined }) {
  const [prompt, setPrompt] = useState(t('Hello! What are you?'));
  const [text, setText] = useState('');
  const call = {
    path: '/v1/chat/completions',
    body: { model: model ?? 'model', stream: true, messages: [{ role: 'user', content: prompt }] },
  };
  const send = useMutation({
    mutationFn: (key: string) => {
      setText('');
      return streamChat({ ...call, key }, (part) => setText((before) => before + part));
    },
  });
  if (tryKey === undefined || model === null)
    return <Notice color="yellow">{t('Choose a model and make a token first.')}</Notice>;
  return (
    <>
      <Group align="flex-end">
        <TextInput
          label={t('Message')}
          flex={1}
          value={prompt}
          onChange={(event) => setPrompt(event.currentTarget.value)}
        />
        <Button
          loading={send.isPending}
          leftSection={<Icon name="send" size={16} />}
          onClick={() => send.mutate(tryKey)}
        >
          {t('Send')}
        </Button>
      </Group>
      <div aria-live="polite">
        {text !== '' && (
          <Text className="long" style={{ whiteSpace: 'pre-wrap' }} data-testid="answer">
            {text}
          </Text>
        )}
        {send.error !== null && <ErrorState error={send.error} />}
      </div>
      {send.data !== undefined && (
        <Notice color="green">
          <Group gap="sm">
            {t('Your gateway answered in {time}.', { time: formatMilliseconds(send.data.milliseconds) })}
            {send.data.requestId !== null && (
              <PageButton to="/requests/$id" params={{ id: send.data.requestId }} size="compact-xs" variant="default">
                {t('See its route and charge')}
              </PageButton>
            )}
          </Group>
        </Notice>
      )}
      <CodeSamples call={call} />
    </>
  );
}
