// Several turns with one model, or with two side by side.
import { Button, FileButton, Grid, Group, Pill, Select, SimpleGrid, Stack, Textarea } from '@mantine/core';
import { useState } from 'react';
import { Card } from '../../components/card.tsx';
import { ClientSettings } from '../../components/client-settings.tsx';
import { CodeSamples } from '../../components/code-samples.tsx';
import { Icon } from '../../components/icon.tsx';
import { t } from '../../i18n/t.ts';
import { notifyFailure } from '../../lib/notify-failure.ts';
import { useTryKey } from '../../lib/try-key.ts';
import { type Attachment, chatCall, noSettings, withoutBytes } from './chat-call.ts';
import { ChatSettingsForm } from './chat-settings.tsx';
import { ChatSide } from './chat-side.tsx';
import { KeyPanel } from './key-panel.tsx';
import { type ModelChoices, ModelSelect } from './model-select.tsx';
import type { Replayed } from './read-replay.ts';
import { readFiles, useChat } from './use-chat.ts';

interface ChatBenchProps {
  choices: ModelChoices;
  firstModel: string | undefined;
  example: string;
  replayed: Replayed | null;
}

export function ChatBench({ choices, firstModel, example, replayed }: ChatBenchProps) {
  const [tryKey] = useTryKey();
  const [chosen, setChosen] = useState(firstModel ?? null);
  const [other, setOther] = useState<string | null>(null);
  const [settings, setSettings] = useState(replayed?.chat.settings ?? noSettings);
  const [text, setText] = useState(replayed?.chat.prompt ?? example);
  const [files, setFiles] = useState<Attachment[]>([]);
  const left = useChat();
  const right = useChat();
  const model = chosen ?? choices.fitting[0] ?? null;
  const busy = left.busy || right.busy;
  const ready = model !== null && tryKey !== null && !busy && (text.trim() !== '' || files.length > 0);
  const send = () => {
    if (!ready) return;
    const message = { text, files };
    const by = { settings, key: tryKey.key };
    void left.send(message, { ...by, model });
    if (other !== null) void right.send(message, { ...by, model: other });
    setText('');
    setFiles([]);
  };
  const draft = text === '' && files.length === 0 ? [] : [{ text, files, answer: '' }];
  const call = withoutBytes(chatCall(model ?? 'model', settings, [...left.turns, ...draft]));
  return (
    <Grid>
      <Grid.Col span={{ base: 12, md: 5 }}>
        <Stack>
          <KeyPanel />
          <Card title={t('Call')}>
            <form
              onSubmit={(event) => {
                event.preventDefault();
                send();
              }}
            >
              <Stack>
                <ModelSelect label={t('Model')} choices={choices} value={model} onChange={setChosen} />
                <Select
                  label={t('Beside it (optional)')}
                  placeholder={t('None')}
                  searchable
                  clearable
                  data={choices.fitting}
                  value={other}
                  onChange={setOther}
                />
                <ChatSettingsForm
                  settings={settings}
                  change={(part) => setSettings((before) => ({ ...before, ...part }))}
                />
                <Textarea
                  label={t('Message')}
                  autosize
                  minRows={3}
                  maxRows={14}
                  value={text}
                  onChange={(event) => setText(event.currentTarget.value)}
                  onKeyDown={(event) => {
                    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send();
                  }}
                />
                {files.length > 0 && (
                  <Group gap="xs">
                    {files.map((file, index) => (
                      <Pill
                        key={`${index} ${file.name}`}
                        withRemoveButton
                        removeButtonProps={{ 'aria-label': t('Remove {name}', { name: file.name }) }}
                        onRemove={() => setFiles(files.filter((one) => one !== file))}
                      >
                        {file.name}
                      </Pill>
                    ))}
                  </Group>
                )}
                <Group justify="space-between">
                  <FileButton
                    multiple
                    onChange={(added) =>
                      void readFiles(added).then((read) => setFiles((before) => [...before, ...read]), notifyFailure)
                    }
                  >
                    {(props) => (
                      <Button {...props} variant="default" leftSection={<Icon name="upload" size={16} />}>
                        {t('Add pictures or files')}
                      </Button>
                    )}
                  </FileButton>
                  <Group gap="xs">
                    {left.turns.length > 0 && !busy && (
                      <Button
                        variant="subtle"
                        onClick={() => {
                          left.clear();
                          right.clear();
                        }}
                      >
                        {t('Start over')}
                      </Button>
                    )}
                    {busy && (
                      <Button
                        variant="default"
                        leftSection={<Icon name="stop" size={16} />}
                        onClick={() => {
                          left.stop();
                          right.stop();
                        }}
                      >
                        {t('Stop')}
                      </Button>
                    )}
                    <Button type="submit" disabled={!ready} loading={busy} leftSection={<Icon name="send" size={16} />}>
                      {t('Send')}
                    </Button>
                  </Group>
                </Group>
              </Stack>
            </form>
          </Card>
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 7 }}>
        <Stack>
          <SimpleGrid cols={{ base: 1, sm: other === null && right.turns.length === 0 ? 1 : 2 }}>
            <Card title={model ?? t('Answer')}>
              <ChatSide chat={left} label={t('Answer')} />
            </Card>
            {(other !== null || right.turns.length > 0) && (
              <Card title={other ?? right.turns.at(-1)?.model ?? ''}>
                <ChatSide chat={right} label={t('Answer of the other model')} />
              </Card>
            )}
          </SimpleGrid>
          <Card title={t('The same from your code')}>
            <CodeSamples call={call} />
          </Card>
          <ClientSettings />
        </Stack>
      </Grid.Col>
    </Grid>
  );
}
