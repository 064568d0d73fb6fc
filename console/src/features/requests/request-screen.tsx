// One request: how it ended and why, the way it took, what it used and cost, and what can be done about it.
import './requests.css';
import { Grid, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { RequestDetail } from '#contract/requests.ts';
import { CopyIcon } from '../../components/code-block.tsx';
import { PageButton, PageLink } from '../../components/page-link.tsx';
import { Page } from '../../components/page.tsx';
import { Shown } from '../../components/states.tsx';
import { t } from '../../i18n/t.ts';
import { playgroundKind } from '../../lib/playground-kind.ts';
import { useMayChange } from '../../lib/session.ts';
import { requestQuery } from './api.ts';
import { AttemptLanes } from './attempt-lanes.tsx';
import { BlockModel } from './block-model.tsx';
import { Bodies } from './bodies.tsx';
import { RefundDialog } from './refund-dialog.tsx';
import { Cost, Summary } from './request-facts.tsx';
import { Verdict } from './verdict.tsx';

const route = getRouteApi('/requests/$id');

export function RequestScreen() {
  const { id } = route.useParams();
  return <Shown query={useQuery(requestQuery(id))}>{(request) => <RequestPage request={request} />}</Shown>;
}

function RequestPage({ request }: { request: RequestDetail }) {
  const mayChange = useMayChange();
  return (
    <Page
      title={request.model ?? t('Request')}
      above={<PageLink to="/requests">{t('Requests')}</PageLink>}
      description={
        <Group gap={8} component="span">
          <span className="mono">{request.id}</span>
          <CopyIcon text={request.id} label={t('Copy the id')} />
        </Group>
      }
      actions={<Actions request={request} mayChange={mayChange} />}
    >
      <Verdict request={request} />
      <AttemptLanes request={request} />
      <Grid>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Summary request={request} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Cost request={request} />
        </Grid.Col>
      </Grid>
      {request.has_bodies && mayChange && <Bodies requestId={request.id} />}
    </Page>
  );
}

function Actions({ request, mayChange }: { request: RequestDetail; mayChange: boolean }) {
  const { id, model, token_id, channel_id, task_id, mode, charge, refund } = request;
  const kind = playgroundKind(request.endpoint);
  return (
    <>
      {mayChange && model !== null && kind !== undefined && (
        <PageButton to="/playground" search={{ kind, model, replay: id }}>
          {t('Replay in the playground')}
        </PageButton>
      )}
      {mayChange && mode === 'live' && Number(charge) > 0 && refund === null && <RefundDialog request={request} />}
      {mayChange && model !== null && token_id !== null && <BlockModel tokenId={token_id} model={model} />}
      {channel_id !== null && (
        <PageButton to="/channels/$id" params={{ id: channel_id }} variant="default">
          {t('Open the channel')}
        </PageButton>
      )}
      {task_id !== null && (
        <PageButton to="/tasks/$id" params={{ id: task_id }} variant="default">
          {t('View video task')}
        </PageButton>
      )}
      <PageButton to="/ledger" search={{ request_id: id }} variant="default">
        {t('View ledger entries')}
      </PageButton>
    </>
  );
}
