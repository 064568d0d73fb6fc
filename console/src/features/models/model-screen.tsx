// One model: its price and how it came about, the channels that carry it, and what it was used for.
import { Badge, Button, Grid, Group, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type Model, model as modelSchema } from '#contract/models.ts';
import { t } from '../../i18n/t.ts';
import { StateBadge } from '../../components/badges.tsx';
import { Card } from '../../components/card.tsx';
import { Facts } from '../../components/facts.tsx';
import { FormModal } from '../../components/form-modal.tsx';
import { PageButton, PageLink } from '../../components/page-link.tsx';
import { Page } from '../../components/page.tsx';
import { Shown } from '../../components/states.tsx';
import { UsageCard } from '../../components/usage-card.tsx';
import { When } from '../../components/when.tsx';
import { callApi } from '../../lib/api-client.ts';
import { toDay } from '../../lib/format-time.ts';
import { useMayChange } from '../../lib/session.ts';
import { ModelChannels } from './model-channels.tsx';
import { ModelForm } from './model-form.tsx';
import { PriceVersions } from './price-history.tsx';
import { priceLabel } from './price-label.ts';

const route = getRouteApi('/models/$id');

const modelQuery = (id: string) =>
  queryOptions({
    queryKey: ['/models', 'one', id],
    queryFn: ({ signal }) => callApi('GET', `/models/${encodeURIComponent(id)}`, { schema: modelSchema, signal }),
  });

export function ModelScreen() {
  const { id } = route.useParams();
  return <Shown query={useQuery(modelQuery(id))}>{(model) => <ModelPage model={model} />}</Shown>;
}

function ModelPage({ model }: { model: Model }) {
  const mayChange = useMayChange();
  const [editing, { open, close }] = useDisclosure(false);
  return (
    <Page
      title={model.id}
      above={<PageLink to="/models">{t('Models and prices')}</PageLink>}
      actions={
        <>
          <PageButton to="/requests" search={{ model: model.id }} variant="default">
            {t('View requests')}
          </PageButton>
          {mayChange && <Button onClick={open}>{t('Edit')}</Button>}
        </>
      }
    >
      <Grid>
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Stack>
            <Card title={t('Model')}>
              <Facts facts={factsOf(model)} />
            </Card>
            <ModelChannels model={model.id} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <UsageCard filter={{ model: model.id, mode: 'live' }} by="account" />
        </Grid.Col>
      </Grid>
      <Card title={t('Price history')} flush>
        <PriceVersions model={model.id} />
      </Card>
      <FormModal opened={editing} onClose={close} title={t('Edit model')} size="lg">
        <ModelForm model={model} close={close} />
      </FormModal>
    </Page>
  );
}

function factsOf(model: Model): [string, React.ReactNode][] {
  return [
    [
      t('State'),
      <Group key="state" gap={6}>
        <StateBadge state={model.enabled ? 'enabled' : 'disabled'} />
        {model.flag !== null && <Badge color="blue">{t('flag {flag}', { flag: model.flag })}</Badge>}
      </Group>,
    ],
    [t('Price'), priceLabel(model.price)],
    [t('Endpoint types'), model.endpoint_types.join(', ') || t('by price')],
    [t('Owned by'), model.owned_by],
    [t('Max output tokens'), model.max_output_tokens === null ? t('Unknown') : String(model.max_output_tokens)],
    [t('Retires on'), model.retires_at === null ? t('Not known') : `${toDay(model.retires_at)} UTC`],
    [t('Created'), <When key="made" at={model.created} exact />],
  ];
}
