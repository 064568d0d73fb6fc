// Try any model as a client would, send a request again, and take the call away as code.
import './playground.css';
import { Button, Grid, Group, Stack, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { Card } from '../../components/card.tsx';
import { ClientSettings } from '../../components/client-settings.tsx';
import { CodeSamples } from '../../components/code-samples.tsx';
import { Icon } from '../../components/icon.tsx';
import { Page } from '../../components/page.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { ErrorState, LoadingRows, Notice } from '../../components/states.tsx';
import { t } from '../../i18n/t.ts';
import { allModels } from '../../lib/choices.ts';
import { useTryKey } from '../../lib/try-key.ts';
import { ChatBench } from './chat-bench.tsx';
import { InputsForm } from './inputs-form.tsx';
import { KeyPanel } from './key-panel.tsx';
import { type Inputs, type Kind, kindOf, kinds } from './kinds.ts';
import { type ModelChoices, ModelSelect } from './model-select.tsx';
import type { Replayed } from './read-replay.ts';
import { replayQuery } from './replay.ts';
import { ResultView } from './result-view.tsx';
import { useRun } from './use-run.ts';

const route = getRouteApi('/playground');

export function PlaygroundScreen() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const kind = kindOf(search.kind);
  return (
    <Page title={t('Playground')} description={t('Real calls through the gateway, as a client makes them.')}>
      <Tabs
        value={kind.name}
        onChange={(name) => void navigate({ search: name === null ? {} : { kind: name }, replace: true })}
      >
        <Tabs.List mb="md">
          {kinds.map(({ name, label }) => (
            <Tabs.Tab key={name} value={name}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={kind.name}>
          <Filled key={`${kind.name} ${search.replay}`} kind={kind} firstModel={search.model} replay={search.replay} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

interface FilledProps {
  kind: Kind;
  firstModel: string | undefined;
  replay: string | undefined;
}

/** Waits for what is to be filled in. */
function Filled({ kind, firstModel, replay }: FilledProps) {
  const { data: models = [], error, refetch } = useQuery(allModels);
  const { data: replayed = null, isLoading } = useQuery({
    ...replayQuery(replay ?? ''),
    enabled: replay !== undefined,
  });
  const fitting = models.filter((model) => model.enabled && kind.fits(model)).map(({ id }) => id);
  const others = models.map(({ id }) => id).filter((id) => !fitting.includes(id));
  if (isLoading) return <LoadingRows />;
  const bench = { choices: { fitting, others }, firstModel, replayed };
  return (
    <Stack>
      {error !== null && <ErrorState error={error} retry={() => void refetch()} />}
      {replay !== undefined && <ReplayNotice id={replay} isWhole={replayed !== null} />}
      {kind.name === 'chat' ? (
        <ChatBench {...bench} example={kind.example.prompt ?? ''} />
      ) : (
        <Bench {...bench} kind={kind} />
      )}
    </Stack>
  );
}

function ReplayNotice({ id, isWhole }: { id: string; isWhole: boolean }) {
  return (
    <Notice color={isWhole ? 'blue' : 'yellow'}>
      {isWhole
        ? t('Filled in from a request whose body was kept. It goes out as a new call of the token that you choose.')
        : t('The body of the request was not kept whole, so only its model is filled in.')}{' '}
      <PageLink to="/requests/$id" params={{ id }}>
        {t('To the request')}
      </PageLink>
    </Notice>
  );
}

interface BenchProps {
  kind: Kind;
  choices: ModelChoices;
  firstModel: string | undefined;
  replayed: Replayed | null;
}

function Bench({ kind, choices, firstModel, replayed }: BenchProps) {
  const { fitting } = choices;
  const [tryKey] = useTryKey();
  const [chosen, setChosen] = useState<string | null>(firstModel ?? null);
  const [file, setFile] = useState<File | null>(null);
  const [inputs, setInputs] = useState<Inputs>({
    prompt: '',
    size: '1024x1024',
    voice: 'alloy',
    seconds: '5',
    reference: '',
    lines: '',
    ...kind.example,
    ...replayed?.inputs,
  });
  const run = useRun();
  // One that makes videos of words alone, where the names tell.
  const model = chosen ?? fitting.find((id) => kind.name === 'video' && id.includes('t2v')) ?? fitting[0] ?? null;
  const call = kind.call(model ?? 'model', inputs);
  const ready = model !== null && tryKey !== null && (call.file === undefined || file !== null);
  return (
    <Grid>
      <Grid.Col span={{ base: 12, md: 6 }}>
        <Stack>
          <KeyPanel />
          <Card title={t('Call')}>
            <form
              onSubmit={(event) => {
                event.preventDefault();
                if (ready) void run.start(call, tryKey.key, file);
              }}
            >
              <Stack>
                <ModelSelect label={t('Model')} choices={choices} value={model} onChange={setChosen} />
                <InputsForm
                  kind={kind}
                  inputs={inputs}
                  change={(part) => setInputs((before) => ({ ...before, ...part }))}
                  file={file}
                  setFile={setFile}
                />
                <Group justify="flex-end">
                  {run.busy && (
                    <Button variant="default" onClick={run.stop} leftSection={<Icon name="stop" size={16} />}>
                      {t('Stop')}
                    </Button>
                  )}
                  <Button
                    type="submit"
                    disabled={!ready}
                    loading={run.busy}
                    leftSection={<Icon name="send" size={16} />}
                  >
                    {t('Send')}
                  </Button>
                </Group>
              </Stack>
            </form>
          </Card>
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 6 }}>
        <Stack>
          <Card title={t('Answer')}>
            <ResultView run={run} />
          </Card>
          <Card title={t('The same from your code')}>
            <CodeSamples call={call} />
          </Card>
          <ClientSettings />
        </Stack>
      </Grid.Col>
    </Grid>
  );
}
