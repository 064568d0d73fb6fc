// From nothing to an answered request: a channel, a model, a token, a call.
import { Stepper, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Channel } from '#contract/channels.ts';
import type { Model } from '#contract/models.ts';
import { t } from '../../i18n/t.ts';
import { Page } from '../../components/page.tsx';
import { Card } from '../../components/card.tsx';
import { Shown } from '../../components/states.tsx';
import { allChannels, allModels } from '../../lib/choices.ts';
import { useTryKey } from '../../lib/try-key.ts';
import { ChannelStep } from './channel-step.tsx';
import { ModelStep } from './model-step.tsx';
import { RequestStep } from './request-step.tsx';
import { TokenStep } from './token-step.tsx';

/** On a phone the steps stand side by side with their names underneath. */
const narrow = {
  steps: 'steps',
  step: 'step',
  stepBody: 'step-body',
  stepDescription: 'step-description',
  separator: 'step-separator',
};

export function StartScreen() {
  const channels = useQuery(allChannels);
  const models = useQuery(allModels);
  return (
    <Page
      title={t('First steps')}
      description={t('Four steps from an empty gateway to an answered request. Each can be done again at any time.')}
    >
      <Card title={t('Your gateway')}>
        <Shown query={channels}>
          {(carriers) => <Shown query={models}>{(all) => <Steps channels={carriers} models={all} />}</Shown>}
        </Shown>
      </Card>
    </Page>
  );
}

function Steps({ channels, models }: { channels: Channel[]; models: Model[] }) {
  const [tryKey] = useTryKey();
  const [step, setStep] = useState(0);
  const [model, setModel] = useState<string | null>(null);
  const carried = new Set(
    channels.filter(({ status }) => status === 'enabled').flatMap((channel) => Object.keys(channel.models)),
  );
  const offered = models.filter(({ id, enabled, price, endpoint_types }) => {
    const chats = ['tokens', 'request'].includes(price?.unit ?? '') && !endpoint_types.includes('embeddings');
    return enabled && chats && carried.has(id);
  });
  const chosen = model ?? offered[0]?.id ?? null;
  const next = () => setStep((before) => before + 1);
  return (
    <Stepper active={step} onStepClick={setStep} size="sm" iconSize={34} classNames={narrow}>
      <Stepper.Step label={t('Channel')} description={t('Where answers come from')}>
        <Stack mt="lg">
          <ChannelStep channels={channels} next={next} />
        </Stack>
      </Stepper.Step>
      <Stepper.Step label={t('Model')} description={t('What you offer')}>
        <Stack mt="lg">
          <ModelStep models={offered} chosen={chosen} choose={setModel} next={next} />
        </Stack>
      </Stepper.Step>
      <Stepper.Step label={t('Token')} description={t('Who may call')}>
        <Stack mt="lg">
          <TokenStep next={next} />
        </Stack>
      </Stepper.Step>
      <Stepper.Step label={t('Request')} description={t('See it work')}>
        <Stack mt="lg">
          <RequestStep model={chosen} tryKey={tryKey?.key} />
        </Stack>
      </Stepper.Step>
    </Stepper>
  );
}
