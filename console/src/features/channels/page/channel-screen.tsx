// One channel: its state, its models, a test call, its settings.
import { Button, Grid, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { Channel } from '#contract/channels.ts';
import { StateBadge } from '../../../components/badges.tsx';
import { Card } from '../../../components/card.tsx';
import { ConfirmButton } from '../../../components/confirm-button.tsx';
import { PlainTable } from '../../../components/data-table.tsx';
import { Facts } from '../../../components/facts.tsx';
import { FormModal } from '../../../components/form-modal.tsx';
import { PageLink } from '../../../components/page-link.tsx';
import { Page } from '../../../components/page.tsx';
import { EmptyState, Shown } from '../../../components/states.tsx';
import { UsageCard } from '../../../components/usage-card.tsx';
import { When } from '../../../components/when.tsx';
import { known, t } from '../../../i18n/t.ts';
import { healthQuery } from '../../../lib/channel-health.ts';
import { useMayChange } from '../../../lib/session.ts';
import { notifyFailure } from '../../../lib/notify-failure.ts';
import { useMinute } from '../../../lib/use-minute.ts';
import { channelDayQuery, channelQuery, useRemoveChannel, useSaveChannel } from '../api.ts';
import { DayStrip } from '../board/day-strip.tsx';
import { ChannelForm } from '../form/channel-form.tsx';
import { ChannelHealthCard } from './channel-health-card.tsx';
import { CloneButton } from './clone-button.tsx';
import { KeysCard } from './keys-card.tsx';
import { ChannelTest } from './channel-test.tsx';
import { HealthBadge } from '../health/health-badge.tsx';
import { optionFacts } from './option-facts.ts';
import { useProvider } from '../providers.ts';
import '../channels.css';

const route = getRouteApi('/channels/$id');

export function ChannelScreen() {
  const { id } = route.useParams();
  return <Shown query={useQuery(channelQuery(id))}>{(channel) => <ChannelPage channel={channel} />}</Shown>;
}

function ChannelPage({ channel }: { channel: Channel }) {
  const mayChange = useMayChange();
  const { data: health } = useQuery(healthQuery);
  const own = health?.get(channel.id);
  const { data: day } = useQuery(channelDayQuery(channel.id));
  const now = useMinute();
  const provider = useProvider(channel.provider);
  const models = Object.entries(channel.models).map(([name, upstream]) => ({ name, upstream }));
  return (
    <Page
      title={channel.name}
      above={<PageLink to="/channels">{t('Channels')}</PageLink>}
      actions={mayChange && <ChannelActions channel={channel} />}
    >
      <Grid>
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Stack>
            <Card title={t('Channel')}>
              <Facts
                facts={[
                  [t('Health'), <HealthBadge key="health" channel={channel} live={own} hours={day?.hours} now={now} />],
                  [t('State'), <StateBadge key="state" state={channel.status} />],
                  [t('Running now'), own?.running ?? 0],
                  [t('Provider'), provider === undefined ? channel.provider : known(provider.label)],
                  [
                    t('Base address'),
                    <span key="base" className="mono">
                      {channel.base_url}
                    </span>,
                  ],
                  [
                    t('Groups'),
                    channel.groups === null || channel.groups.length === 0
                      ? t('Every group')
                      : channel.groups.join(', '),
                  ],
                  [t('Priority, weight'), `${channel.priority}, ${channel.weight}`],
                  ...optionFacts(channel, provider),
                  [t('Created'), <When key="made" at={channel.created_at} exact />],
                ]}
              />
            </Card>
            <KeysCard channel={channel} day={day} live={own} mayChange={mayChange} />
            <Card title={t('Models')} flush>
              {models.length === 0 ? (
                <EmptyState icon="models" title={t('Carries no model')} />
              ) : (
                <PlainTable
                  label={t('Models of this channel')}
                  rows={models}
                  keyOf={(row) => row.name}
                  columns={[
                    { header: t('Public name'), render: (row) => <span className="long">{row.name}</span> },
                    {
                      header: t('Name at the upstream'),
                      render: (row) => <span className="mono long">{row.upstream}</span>,
                    },
                  ]}
                />
              )}
            </Card>
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Stack>
            <ChannelHealthCard health={channel.health} charged={day?.charged}>
              <DayStrip hours={day?.hours ?? []} now={now} name={channel.name} width={336} height={30} />
            </ChannelHealthCard>
            {mayChange && <ChannelTest channel={channel} />}
            <UsageCard filter={{ channel_id: channel.id }} by="model" />
          </Stack>
        </Grid.Col>
      </Grid>
    </Page>
  );
}

function ChannelActions({ channel }: { channel: Channel }) {
  const [editing, { open, close }] = useDisclosure(false);
  const navigate = route.useNavigate();
  const save = useSaveChannel(channel);
  const remove = useRemoveChannel(channel);
  return (
    <>
      <Button variant="default" onClick={open}>
        {t('Edit')}
      </Button>
      <CloneButton channel={channel} onDone={(id) => void navigate({ to: '/channels/$id', params: { id } })} />
      {channel.status === 'enabled' ? (
        <ConfirmButton
          label={t('Disable')}
          title={t('Disable this channel')}
          question={t('No request will be sent to {name} until it is enabled again.', { name: channel.name })}
          confirm={t('Disable')}
          act={() => save.mutateAsync({ status: 'disabled' })}
        />
      ) : (
        <Button
          variant="default"
          loading={save.isPending}
          onClick={() => save.mutate({ status: 'enabled' }, { onError: notifyFailure })}
        >
          {t('Enable')}
        </Button>
      )}
      <ConfirmButton
        label={t('Remove')}
        title={t('Remove this channel')}
        question={t('{name} and its keys are deleted. Its requests stay in the log.', { name: channel.name })}
        confirm={t('Remove')}
        button={{ color: 'red', variant: 'light' }}
        act={async () => {
          await remove.mutateAsync();
          await navigate({ to: '/channels' });
        }}
      />
      <FormModal opened={editing} onClose={close} title={t('Edit channel')} size="lg">
        <ChannelForm channel={channel} cancel={close} onDone={close} />
      </FormModal>
    </>
  );
}
