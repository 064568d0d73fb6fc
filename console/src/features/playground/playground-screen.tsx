// Try any model as a client would, and take the call away as code.
import { Button, Grid, Group, Select, Stack, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { Card } from '../../components/card.tsx';
import { CodeSamples } from '../../components/code-samples.tsx';
import { Icon } from '../../components/icon.tsx';
import { Page } from '../../components/page.tsx';
import { ErrorState } from '../../components/states.tsx';
import { allModels } from '../../lib/choices.ts';
import { useTryKey } from '../../lib/try-key.ts';
import { InputsForm } from './inputs-form.tsx';
import { KeyPanel } from './key-panel.tsx';
import { type Inputs, type Kind, kindOf, kinds } from './kinds.ts';
import { ResultView } from './result-view.tsx';
import { useRun } from './use-run.ts';

const route = getRouteApi('/playground');

export function PlaygroundScreen() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const kind = kindOf(search.kind);
  return (
    <Page title="Playground" description="Real calls through the gateway, as a client makes them.">
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
          <Bench key={kind.name} kind={kind} firstModel={search.model} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

function Bench({ kind, firstModel }: { kind: Kind; firstModel: string | undefined }) {
  const { data: models = [], error, refetch } = useQuery(allModels);
  const [tryKey] = useTryKey();
  const [chosen, setChosen] = useState<string | null>(firstModel ?? null);
  const [file, setFile] = useState<File | null>(null);
  const [inputs, setInputs] = useState<Inputs>({
    system: '',
    prompt: '',
    size: '1024x1024',
    voice: 'alloy',
    seconds: '5',
    reference: '',
    lines: '',
    ...kind.example,
  });
  const run = useRun();
  const fitting = models.filter((model) => model.enabled && kind.fits(model)).map(({ id }) => id);
  const others = models.map(({ id }) => id).filter((id) => !fitting.includes(id));
  // One that makes videos of words alone, where the names tell.
  const model = chosen ?? fitting.find((id) => kind.name === 'video' && id.includes('t2v')) ?? fitting[0] ?? null;
  const call = kind.call(model ?? 'model', inputs);
  const ready = model !== null && tryKey !== null && (call.file === undefined || file !== null);
  return (
    <Grid>
      <Grid.Col span={{ base: 12, md: 6 }}>
        <Stack>
          <KeyPanel />
          <Card title="Call">
            <form
              onSubmit={(event) => {
                event.preventDefault();
                if (ready) void run.start(call, tryKey.key, file);
              }}
            >
              <Stack>
                {error !== null && <ErrorState error={error} retry={() => void refetch()} />}
                <Select
                  label="Model"
                  searchable
                  allowDeselect={false}
                  data={[
                    { group: 'Made for this', items: fitting },
                    { group: 'Others', items: others },
                  ].filter(({ items }) => items.length > 0)}
                  value={model}
                  onChange={setChosen}
                />
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
                      Stop
                    </Button>
                  )}
                  <Button
                    type="submit"
                    disabled={!ready}
                    loading={run.busy}
                    leftSection={<Icon name="send" size={16} />}
                  >
                    Send
                  </Button>
                </Group>
              </Stack>
            </form>
          </Card>
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 6 }}>
        <Stack>
          <Card title="Answer">
            <ResultView run={run} />
          </Card>
          <Card title="The same from your code">
            <CodeSamples call={call} />
          </Card>
        </Stack>
      </Grid.Col>
    </Grid>
  );
}
