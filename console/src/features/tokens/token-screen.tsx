// One token: what it may do, what it has used, and its end.
import { Button, Grid, Group, NumberInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { type Token, tokenPatch } from '#contract/tokens.ts';
import { t } from '../../i18n/t.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { FormModal } from '../../components/form-modal.tsx';
import { PageButton, PageLink } from '../../components/page-link.tsx';
import { Page } from '../../components/page.tsx';
import { SecretOnce } from '../../components/secret-once.tsx';
import { Shown } from '../../components/states.tsx';
import { UsageCard } from '../../components/usage-card.tsx';
import { useMayChange } from '../../lib/session.ts';
import { notifyFailure } from '../../lib/notify-failure.ts';
import { ClientSettings } from '../../components/client-settings.tsx';
import { tokenQuery, useChangeToken, useRotateToken } from './api.ts';
import { draftOf } from './token-draft.ts';
import { TokenFacts } from './token-facts.tsx';
import { TokenForm } from './token-form.tsx';

const route = getRouteApi('/tokens/$id');

export function TokenScreen() {
  const { id } = route.useParams();
  return <Shown query={useQuery(tokenQuery(id))}>{(token) => <TokenPage token={token} />}</Shown>;
}

function TokenPage({ token }: { token: Token }) {
  const mayChange = useMayChange();
  return (
    <Page
      title={token.name}
      above={<PageLink to="/tokens">{t('Tokens')}</PageLink>}
      actions={
        <>
          <PageButton to="/requests" search={{ token_id: token.id }} variant="default">
            {t('View requests')}
          </PageButton>
          {mayChange && <TokenActions token={token} />}
        </>
      }
    >
      <Grid>
        <Grid.Col span={{ base: 12, md: 7 }}>
          <TokenFacts token={token} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <UsageCard filter={{ token_id: token.id }} by="model" />
        </Grid.Col>
        <Grid.Col span={12}>
          <ClientSettings />
        </Grid.Col>
      </Grid>
    </Page>
  );
}

function TokenActions({ token }: { token: Token }) {
  const [edited, setEdited] = useState<Token>(); // as it was when the form was opened
  const close = () => setEdited(undefined);
  const [secret, setSecret] = useState<string>();
  const [grace, setGrace] = useState<number | string>(0);
  const change = useChangeToken(token);
  const save = useChangeToken(edited ?? token);
  const rotate = useRotateToken(token);
  const enabled = token.status === 'enabled';
  return (
    <Group gap="xs">
      <Button variant="default" onClick={() => setEdited(token)}>
        {t('Edit')}
      </Button>
      <ConfirmButton
        label={t('Rotate key')}
        title={t('Give this token a new key')}
        question={t('Clients must be given the new key. The old one works on for the grace time, then ends.')}
        confirm={t('Rotate')}
        act={async () => setSecret((await rotate.mutateAsync(Number(grace) * 60)).key)}
      >
        <NumberInput
          label={t('Grace time in minutes')}
          description={t('0 = the old key ends at once')}
          min={0}
          max={44_640}
          value={grace}
          onChange={setGrace}
        />
      </ConfirmButton>
      {enabled ? (
        <ConfirmButton
          label={t('Disable')}
          title={t('Disable this token')}
          question={t('Every call with {name} will be refused until it is enabled again.', { name: token.name })}
          confirm={t('Disable')}
          button={{ color: 'red', variant: 'light' }}
          act={() => change.mutateAsync({ status: 'disabled' })}
        />
      ) : (
        <Button
          loading={change.isPending}
          onClick={() => change.mutate({ status: 'enabled' }, { onError: notifyFailure })}
        >
          {t('Enable')}
        </Button>
      )}
      <FormModal opened={edited !== undefined} onClose={close} title={t('Edit token')} size="xl">
        <TokenForm
          draft={draftOf(edited ?? token)}
          schema={tokenPatch}
          submit={t('Save')}
          cancel={close}
          send={async (body) => {
            await save.mutateAsync(body);
            close();
            notifications.show({ message: t('Saved'), color: 'green' });
          }}
        />
      </FormModal>
      <SecretOnce title={t('The new key')} secret={secret} onClose={() => setSecret(undefined)} />
    </Group>
  );
}
