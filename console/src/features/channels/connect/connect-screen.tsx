// Connects a provider: pick a vendor, paste a key, see its models with their prices, test, save. All on one page, in the order
// of the hand; nothing is saved before the last step.
import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { channelPreview } from '#contract/channels.ts';
import { Card } from '../../../components/card.tsx';
import { PageLink } from '../../../components/page-link.tsx';
import { Page } from '../../../components/page.tsx';
import { LoadingRows } from '../../../components/states.tsx';
import { t } from '../../../i18n/t.ts';
import { allChannels } from '../../../lib/choices.ts';
import { useFormSend } from '../../../lib/use-form-send.ts';
import { usePreview } from '../api.ts';
import { bodyOf, type ChannelDraft, draftOf, filledBy } from '../form/channel-draft.ts';
import { useProviders } from '../providers.ts';
import { FinishStep } from './finish-step.tsx';
import { KeyStep } from './key-step.tsx';
import { type ModelRow, rowsOf } from './model-rows.ts';
import { ModelsStep } from './models-step.tsx';
import { factorOf } from './scale-price.ts';
import { VendorPicker } from './vendor-picker.tsx';
import { freeName, type Vendor, vendorsOf } from './vendors.ts';
import '../channels.css';

const route = getRouteApi('/channels/new');

export function ConnectScreen() {
  const providers = useProviders();
  // The name of the new channel depends on those that there are.
  const { data: channels = [], isPending } = useQuery(allChannels);
  const navigate = route.useNavigate();
  const [vendor, setVendor] = useState<Vendor>();
  const names = channels.map(({ name }) => name);
  return (
    <Page
      title={t('Connect a provider')}
      description={t('Pick a vendor, paste its key, tick models. It is tested before it is saved.')}
      above={<PageLink to="/channels">{t('Channels')}</PageLink>}
    >
      {vendor === undefined ? (
        <Card title={t('1. Vendor')}>
          {providers.length === 0 || isPending ? (
            <LoadingRows />
          ) : (
            <VendorPicker vendors={vendorsOf(providers)} pick={setVendor} />
          )}
        </Card>
      ) : (
        <ConnectVendor
          key={vendor.id}
          vendor={vendor}
          name={freeName(vendor.preset === undefined ? vendor.provider.name : vendor.name, names)}
          back={() => setVendor(undefined)}
          onDone={(id) => void navigate({ to: '/channels/$id', params: { id } })}
        />
      )}
    </Page>
  );
}

interface ConnectVendorProps {
  vendor: Vendor;
  name: string;
  back(): void;
  onDone(id: string): void;
}

function ConnectVendor({ vendor, name, back, onDone }: ConnectVendorProps) {
  const { provider, preset } = vendor;
  const [draft, setDraft] = useState<ChannelDraft>(() => ({
    ...draftOf(undefined),
    name,
    provider: provider.name,
    models: [],
    ...(preset !== undefined && filledBy(preset)),
  }));
  const [rows, setRows] = useState<ModelRow[]>();
  const [markup, setMarkup] = useState('0');
  const filterField = useRef<HTMLInputElement>(null);
  /** How often the upstream was asked for its models. */
  const [asked, setAsked] = useState(0);
  const preview = usePreview();
  // When they are drawn, which may be later than the next frame.
  useEffect(() => {
    if (asked > 0) filterField.current?.focus();
  }, [asked]);
  const change = (part: Partial<ChannelDraft>) => setDraft((before) => ({ ...before, ...part }));
  const { errors, busy, submit } = useFormSend(
    channelPreview,
    () => bodyOf({ ...draft, models: [] }, provider),
    async (body) => {
      const { data } = await preview.mutateAsync(body);
      setRows(rowsOf(data, provider.units));
      setAsked((times) => times + 1);
    },
  );
  const factor = factorOf(markup);
  return (
    <Stack>
      <Card title={t('1. Address and key')}>
        <KeyStep
          vendor={vendor}
          draft={draft}
          change={change}
          errors={errors}
          busy={busy}
          isAsked={rows !== undefined}
          submit={submit}
          back={back}
        />
      </Card>
      {rows !== undefined && (
        <>
          <Card title={t('2. Models')}>
            <ModelsStep
              rows={rows}
              setRows={setRows}
              markup={markup}
              setMarkup={setMarkup}
              factor={factor}
              units={provider.units}
              listError={preview.data?.list_error ?? null}
              filterField={filterField}
            />
          </Card>
          <Card title={t('3. Test and connect')}>
            <FinishStep draft={draft} change={change} rows={rows} factor={factor} provider={provider} onDone={onDone} />
          </Card>
        </>
      )}
    </Stack>
  );
}
