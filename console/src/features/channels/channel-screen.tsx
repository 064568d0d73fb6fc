// One channel: its state, its models, a test call, its settings.
import { Button, Grid, Modal, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { Channel } from '#contract/channels.ts';
import { StateBadge } from '../../components/badges.tsx';
import { Card } from '../../components/card.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { PlainTable } from '../../components/data-table.tsx';
import { Facts } from '../../components/facts.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { Page } from '../../components/page.tsx';
import { EmptyState, Shown } from '../../components/states.tsx';
import { UsageCard } from '../../components/usage-card.tsx';
import { When } from '../../components/when.tsx';
import { healthQuery } from '../../lib/channel-health.ts';
import { useMayChange } from '../../lib/session.ts';
import { tellFailure } from '../../lib/tell-failure.ts';
import { channelQuery, useRemoveChannel, useSaveChannel } from './api.ts';
import { ChannelForm } from './channel-form.tsx';
import { ChannelHealthCard } from './channel-health-card.tsx';
import { ChannelKeys } from './channel-keys.tsx';
import { optionFacts } from './option-facts.ts';
import { ChannelTest } from './channel-test.tsx';
import { HealthBadge } from './health-badge.tsx';
import { useProvider } from './providers.ts';

const route = getRouteApi('/channels/$id');

export function ChannelScreen() {
  const { id } = route.useParams();
  return <Shown query={useQuery(channelQuery(id))}>{(channel) => <ChannelPage channel={channel} />}</Shown>;
}

function ChannelPage({ channel }: { channel: Channel }) {
  const mayChange = useMayChange();
  const { data: health } = useQuery(healthQuery);
  const own = health?.get(channel.id);
  const provider = useProvider(channel.provider);
  const models = Object.entries(channel.models).map(([name, upstream]) => ({ name, upstream }));
  return (
    <Page
      title={channel.name}
      above={<PageLink to="/channels">Channels</PageLink>}
      actions={mayChange && <ChannelActions channel={channel} />}
    >
      <Grid>
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Stack>
            <Card title="Channel">
              <Facts
                facts={[
                  ['Health', <HealthBadge key="health" channel={channel} live={own} />],
                  ['State', <StateBadge key="state" state={channel.status} />],
                  ['Running now', own?.running ?? 0],
                  ['Provider', provider?.label ?? channel.provider],
                  [
                    'Base address',
                    <span key="base" className="mono">
                      {channel.base_url}
                    </span>,
                  ],
                  ['Keys', <ChannelKeys key="keys" channel={channel} live={own} />],
                  [
                    'Groups',
                    channel.groups === null || channel.groups.length === 0 ? 'Every group' : channel.groups.join(', '),
                  ],
                  ['Priority, weight', `${channel.priority}, ${channel.weight}`],
                  ...optionFacts(channel, provider),
                  ['Made', <When key="made" at={channel.created_at} exact />],
                ]}
              />
            </Card>
            <Card title="Models" flush>
              {models.length === 0 ? (
                <EmptyState icon="models" title="Carries no model" />
              ) : (
                <PlainTable
                  label="Models of this channel"
                  rows={models}
                  keyOf={(row) => row.name}
                  columns={[
                    { header: 'Public name', render: (row) => <span className="long">{row.name}</span> },
                    {
                      header: 'Name at the upstream',
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
            <ChannelHealthCard health={channel.health} />
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
        Edit
      </Button>
      {channel.status === 'enabled' ? (
        <ConfirmButton
          label="Disable"
          title="Disable this channel"
          question={`No request will be sent to ${channel.name} until it is enabled again.`}
          confirm="Disable"
          act={() => save.mutateAsync({ status: 'disabled' })}
        />
      ) : (
        <Button
          variant="default"
          loading={save.isPending}
          onClick={() => save.mutate({ status: 'enabled' }, { onError: tellFailure })}
        >
          Enable
        </Button>
      )}
      <ConfirmButton
        label="Remove"
        title="Remove this channel"
        question={`${channel.name} and its keys are deleted. Its requests stay in the log.`}
        confirm="Remove"
        button={{ color: 'red', variant: 'light' }}
        act={async () => {
          await remove.mutateAsync();
          await navigate({ to: '/channels' });
        }}
      />
      <Modal opened={editing} onClose={close} title="Edit channel" size="lg">
        <ChannelForm channel={channel} cancel={close} onDone={close} />
      </Modal>
    </>
  );
}
